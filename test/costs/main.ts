import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { read, root, withSection } from '../docs/documents.ts';
import { measure } from './measure.ts';
import { costsText, heading } from './text.ts';

/** `npm run costs`: measures, and writes README's section anew. */
const file = path.join(root, 'README.md');
writeFileSync(file, withSection(read('README.md'), heading, costsText(await measure())));
process.stdout.write(`${file}: "${heading}" is as measured.\n`);
