import { createReadStream } from 'node:fs';
import path from 'node:path';
import { readCloudFormation } from './cloudformation.ts';
import { looksLikeCrontab, readCrontab } from './crontab.ts';
import { type Reading, UnreadableFile } from './found.ts';
import { readKubernetes } from './kubernetes.ts';
import { isServerless, readServerless } from './serverless.ts';
import { yamlDocuments } from './yaml-documents.ts';

/** CloudFormation's own limit. Whoever has more has a list of something else. */
const mostBytes = 1_000_000;

/** The text of a file, or of standard input when the name is `-`. @throws UnreadableFile */
export async function textOfFile(file: string, input: NodeJS.ReadableStream): Promise<string> {
  const bytes = await bytesOf(file === '-' ? input : createReadStream(file));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below: what is no UTF-8 is no text here.
  }
  throw new UnreadableFile('is not a text in UTF-8');
}

/** Reads no more than it may, so that a device without an end is no trap. */
async function bytesOf(input: NodeJS.ReadableStream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of input) {
      chunks.push(Buffer.from(chunk));
      size += Buffer.byteLength(chunk);
      if (size > mostBytes) break;
    }
  } catch (error) {
    throw new UnreadableFile(`can't be read: ${error instanceof Error ? error.message : error}`);
  }
  if (size > mostBytes) throw new UnreadableFile('is larger than 1 MB; name the files that hold schedules');
  return Buffer.concat(chunks);
}

/** Every schedule in a text, whichever format it is of. @throws UnreadableFile when it is of none */
export function readSchedules(text: string, file: string): Reading {
  if (!isYamlName(file) && looksLikeCrontab(text)) return readCrontab(text, path.resolve(file));
  const readings = yamlDocuments(text).flatMap((document) => {
    const { value } = document;
    return [
      ...readKubernetes(document),
      ...readCloudFormation(document),
      ...(isServerless(value) ? readServerless(document) : []),
    ];
  });
  return {
    found: readings.flatMap(({ found }) => found),
    refused: readings.flatMap(({ refused }) => refused),
  };
}

function isYamlName(file: string): boolean {
  return /\.(ya?ml|json|template)$/i.test(file);
}
