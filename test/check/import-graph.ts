import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { commonOptions, packagePools } from '../../functions/catalog/esbuild.ts';

/** One import: a file of the repository, and the file or package that it names. Paths are relative to the repository. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** A package or a module of Node's. */
  readonly external: boolean;
}

/** Every import of these files and of what they import, those of types alone included. */
export async function importGraph(dir: string, files: readonly string[]): Promise<Import[]> {
  const { metafile } = await build({
    ...commonOptions(packagePools),
    format: 'esm',
    absWorkingDir: dir,
    stdin: {
      contents: files.map((file) => `import ${JSON.stringify(`./${file}`)};`).join('\n'),
      resolveDir: dir,
    },
    write: false,
    packages: 'external',
    loader: { '.css': 'empty' },
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    metafile: true,
    plugins: [typeImports],
  });
  return Object.entries(metafile.inputs).flatMap(([from, { imports }]) =>
    imports.map(({ path: to, external = false }) => ({ from, to, external })),
  );
}

const typeImport = /(?:^(?:import|export) type [^;]*? from |\bimport\()'([^']+)'/gm;

/** esbuild drops the imports of types; here they count as well. */
const typeImports: Plugin = {
  name: 'type-imports',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      const kept = Array.from(
        text.matchAll(typeImport),
        ([, name = '']) => `import ${JSON.stringify(name)};`,
      );
      const loader = file.endsWith('x') ? 'tsx' : 'ts';
      return { contents: [text, ...kept].join('\n'), loader, resolveDir: path.dirname(file) };
    });
  },
};
