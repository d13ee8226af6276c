import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { LedgerStack } from '../../infra/stacks/ledger-stack.ts';
import { addStacks } from '../../infra/stacks.ts';
import { stageNamed } from '../../infra/stage.ts';

export const root = path.resolve(import.meta.dirname, '../..');
export const exampleJobs = path.join(root, 'functions/jobs');

/** A resource of a template, its properties with the pseudo parameters filled in. */
export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly properties: Properties;
  readonly deletionPolicy: string | undefined;
}

export type Properties = Readonly<Record<string, unknown>>;

export interface Synthesised {
  readonly dir: string;
  /** The raw text of each template, by stack: Ledger, Jobs1, …, Example. */
  readonly texts: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
  /** Of all stacks, or of one. */
  resources(type: string, stack?: string): Resource[];
  dispose(): void;
}

/** Synthesises a stage with the jobs of a folder, in process. */
export function synthesise(stage: string, jobsDir = exampleJobs): Promise<Synthesised> {
  return synthesised((app) => addStacks(app, { stage: stageNamed(stage), jobsDir }));
}

/** Synthesises the ledger of a stage alone, with an empty reconciler. */
export function synthesiseLedger(stage: string): Promise<Synthesised> {
  return synthesised((app) => {
    new LedgerStack(app, { stage: stageNamed(stage), reconcilerDir: emptyBundle(app.outdir) });
  });
}

/** A folder with code that does nothing. */
export function emptyBundle(below: string): string {
  const dir = path.join(below, 'empty');
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, 'index.js'), 'exports.handler = async () => {};');
  return dir;
}

/** Synthesises what is added to an app, with the context of cdk.json. `isValidated`: CloudFormation's own rules are checked, too. */
export async function synthesised(
  build: (app: App) => void | Promise<void>,
  { isValidated = false } = {},
): Promise<Synthesised> {
  const dir = mkdtempSync(path.join(tmpdir(), 'fireledger-synth-'));
  const { context } = JSON.parse(readFileSync(path.join(root, 'cdk.json'), 'utf8'));
  const app = new App({
    outdir: dir,
    autoSynth: false,
    context: { ...context, '@aws-cdk/core:annotationsInValidationReport': false },
    // Takes seconds; the test that runs the CDK's own command has it on.
    builtinCloudFormationValidation: isValidated,
  });
  await build(app);
  const { stacks } = app.synth();
  const all = stacks.flatMap((stack) =>
    resourcesOf(stack.template).map((resource) => ({ stack: stack.id, resource })),
  );
  return {
    dir,
    texts: new Map(stacks.map((stack) => [stack.id, readFileSync(stack.templateFullPath, 'utf8')])),
    warnings: stacks.flatMap((stack) => stack.messages.map(({ entry }) => String(entry.data))),
    resources: (type, stack) =>
      all
        .filter((each) => each.resource.type === type && (stack === undefined || each.stack === stack))
        .map((each) => each.resource),
    dispose: () => rmSync(dir, { recursive: true, force: true }),
  };
}

interface Template {
  readonly Resources: Record<string, { Type: string; Properties?: Properties; DeletionPolicy?: string }>;
}

function resourcesOf(template: Template): Resource[] {
  return Object.entries(template.Resources).map(([id, { Type, Properties, DeletionPolicy }]) => ({
    id,
    type: Type,
    properties: filledIn(Properties ?? {}) as Properties,
    deletionPolicy: DeletionPolicy,
  }));
}

const pseudo: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'eu-central-1',
  'AWS::AccountId': '111122223333',
  'AWS::URLSuffix': 'amazonaws.com',
};

/** Joins become texts, and references to a resource `<id>` or `<id.attribute>`. */
function filledIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filledIn);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Properties;
  if (typeof fields.Ref === 'string') return pseudo[fields.Ref] ?? `<${fields.Ref}>`;
  const join = fields['Fn::Join'];
  if (Array.isArray(join)) return (filledIn(join[1]) as unknown[]).join(join[0]);
  const getAtt = fields['Fn::GetAtt'];
  if (Array.isArray(getAtt)) return `<${getAtt.join('.')}>`;
  return Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, filledIn(inner)]));
}
