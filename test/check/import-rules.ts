import type { Import } from './import-graph.ts';

interface Room {
  /** Where its files begin. */
  readonly path: string;
  /** The paths, besides its own, that its imports may begin with. */
  readonly mayImport: readonly string[];
  /** Packages and Node's modules that it may import. @default all but the CDK */
  readonly packages?: readonly string[];
  readonly rule: string;
}

const domain = 'functions/domain/';
const contract = 'functions/contract.ts';
const config = 'functions/config.ts';
const job = 'functions/job.ts';
const pools = 'functions/pools.ts';
const catalog = 'functions/catalog/';
const example = 'functions/example/';
const store = 'functions/store/';
const runtime = 'functions/runtime/';
const reconciler = 'functions/reconciler/';
const operator = 'functions/operator/';
const handlers = 'functions/handlers/';
const simulator = 'functions/simulator/';
const consoleData = 'functions/console/data.ts';
const terminal = ['functions/cli/render/', 'functions/cli/io.ts'];

/** Imports go one way. The first room in which a file lies is its own. */
const rooms: readonly Room[] = [
  {
    path: domain,
    mayImport: [contract],
    packages: ['fastest-levenshtein', 'cronstrue'],
    rule: 'the domain is pure: it imports itself, the names of the contract, and packages that only compute',
  },
  { path: contract, mayImport: [], packages: [], rule: 'the contract imports nothing' },
  { path: config, mayImport: [domain, contract], packages: [], rule: 'the stages are data' },
  { path: pools, mayImport: [job], packages: [], rule: 'the pools are data' },
  { path: job, mayImport: [domain, pools], rule: "the authors' API rests on the domain alone" },
  {
    path: 'functions/jobs/',
    mayImport: [job, pools, example],
    rule: 'jobs import #job, #pools and their own code',
  },
  {
    path: example,
    mayImport: [job, contract],
    rule: 'what the example jobs share knows nothing of their machinery',
  },
  { path: store, mayImport: [domain, contract], rule: 'stores implement the port of the domain' },
  { path: runtime, mayImport: [domain, contract, job], rule: 'the runtime knows ports, not stores' },
  { path: reconciler, mayImport: [domain, contract], rule: 'the reconciler knows ports, not stores' },
  {
    path: operator,
    mayImport: [domain, contract],
    rule: 'what people do is decided by the domain, and written through the port of the ledger',
  },
  {
    path: handlers,
    mayImport: [domain, contract, config, job, store, runtime, reconciler],
    rule: 'handlers wire the runtime or the reconciler to a store',
  },
  {
    path: catalog,
    mayImport: [domain, contract, config, job, pools],
    rule: 'the catalog knows jobs, not what runs them',
  },
  {
    path: simulator,
    mayImport: [
      domain,
      contract,
      config,
      job,
      pools,
      store,
      runtime,
      reconciler,
      handlers,
      catalog,
      ...terminal,
    ],
    rule: 'the simulator is a world around what is deployed, not around npm start or fl',
  },
  {
    path: 'functions/console/api/',
    mayImport: [domain, catalog, store, operator, 'functions/cli/', consoleData],
    rule: 'what the console answers is worked out from a ledger, whoever serves it',
  },
  {
    path: 'functions/console/web/',
    mayImport: [consoleData, domain],
    packages: ['preact', 'uplot'],
    rule: 'the page runs in a browser: it knows what it is answered, and packages that are made for it',
  },
  {
    path: 'functions/console/',
    mayImport: [domain, operator, handlers, 'functions/cli/', 'functions/local/'],
    rule: 'the console looks into a ledger and acts on it as fl does, and is no part of what runs jobs',
  },
  { path: 'functions/', mayImport: ['functions/'], rule: 'nothing in functions imports infra or test' },
  {
    path: 'infra/',
    mayImport: [contract, config, domain, catalog, example],
    packages: ['aws-cdk-lib', 'constructs', 'cdk-nag', 'node'],
    rule: 'infra reads the contract, the config, the domain and the catalog',
  },
];

const cdk = ['aws-cdk-lib', 'constructs', 'cdk-nag'];

/** Each import that goes the wrong way: `functions/domain/run.ts → functions/store/memory.ts: the domain is pure …`. */
export function wrongWay(imports: readonly Import[]): string[] {
  const wrong = imports.flatMap((one) => {
    const room = rooms.find(({ path }) => one.from.startsWith(path));
    return room === undefined || isAllowed(one, room) ? [] : [`${one.from} → ${one.to}: ${room.rule}`];
  });
  return [...new Set(wrong)];
}

function isAllowed({ to, external }: Import, { path, mayImport, packages }: Room): boolean {
  if (!external) return [path, ...mayImport].some((allowed) => to.startsWith(allowed));
  const name = packageOf(to);
  return packages === undefined ? !cdk.includes(name) : packages.includes(name);
}

/** `aws-cdk-lib/aws-sqs` is of `aws-cdk-lib`, `node:path` of `node`. */
function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node';
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
