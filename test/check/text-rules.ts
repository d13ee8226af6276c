import type { Source } from './sources.ts';

export interface TextRule {
  /** Global. */
  readonly pattern: RegExp;
  readonly instead: string;
  /** @default every file */
  readonly files?: RegExp;
}

/** Each place that breaks a rule: `README.md:12: "what stands there": what to write`. */
export function brokenRules(sources: readonly Source[], rules: readonly TextRule[]): string[] {
  return sources.flatMap((source) =>
    rules
      .filter(({ files }) => files?.test(source.path) ?? true)
      .flatMap(({ pattern, instead }) =>
        Array.from(source.text.matchAll(pattern), (match) => {
          const line = source.text.slice(0, match.index).split('\n').length;
          return `${source.path}:${line}: "${match[0].trim()}": ${instead}`;
        }),
      ),
  );
}
