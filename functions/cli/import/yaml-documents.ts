import {
  type CollectionTag,
  isNode,
  LineCounter,
  Pair,
  parseAllDocuments,
  Scalar,
  type ScalarTag,
  YAMLMap,
} from 'yaml';
import { UnreadableFile } from './found.ts';

/** One document of a YAML or JSON file. CloudFormation's short forms (`!Ref X`) are read as the long ones (`{Ref: X}`). */
export interface YamlDocument {
  readonly value: unknown;
  /** The line of what stands at a path, or of the nearest that there is above it; counted from 1. */
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

/** @throws UnreadableFile with the line of the first mistake */
export function yamlDocuments(text: string): YamlDocument[] {
  const lines = new LineCounter();
  const documents = orNotYaml(() => [
    ...parseAllDocuments(text, { lineCounter: lines, merge: true, customTags: intrinsicTags }),
  ]);
  return documents.map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw notYaml(error.message, lines.linePos(error.pos[0]).line);
    return {
      value: orNotYaml(() => document.toJS({ maxAliasCount: 1_000 })),
      lineOf: (path) => {
        for (let length = path.length; length > 0; length -= 1) {
          const node = document.getIn(path.slice(0, length), true);
          if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
        }
        return lines.linePos(document.contents?.range?.[0] ?? 0).line;
      },
    };
  });
}

/** What is too deep, or has aliases that would unfold into too much, is refused by throwing. */
function orNotYaml<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw notYaml(error instanceof Error ? error.message : String(error), null);
  }
}

function notYaml(message: string, line: number | null): UnreadableFile {
  const [what = ''] = message.replace(/ at line \d+, column \d+:?/, '').split('\n');
  const hint = /alias/i.test(what)
    ? '; a text that begins with * needs quotes'
    : '; a template of Helm or the like has to be rendered first';
  return new UnreadableFile(`is not YAML: ${what}${hint}`, line);
}

const intrinsics = [
  'And Base64 Cidr Equals FindInMap GetAZs GetAtt If ImportValue Join Length Not Or Select Split Sub ToJsonString Transform'
    .split(' ')
    .map((name) => [`!${name}`, `Fn::${name}`]),
  [
    ['!Ref', 'Ref'],
    ['!Condition', 'Condition'],
  ],
].flat();

const intrinsicTags = intrinsics.flatMap(([tag = '', key = '']): (ScalarTag | CollectionTag)[] => {
  const wrapped = (value: unknown) => {
    const map = new YAMLMap();
    map.items.push(new Pair(new Scalar(key), value));
    return map;
  };
  return [
    { tag, resolve: (text) => ({ [key]: text }) },
    { tag, collection: 'map', resolve: wrapped },
    { tag, collection: 'seq', resolve: wrapped },
  ];
});
