import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageDir } from '../../catalog/esbuild.ts';
import { dynoxideBinary } from '../../local/dynamodb/dynoxide.ts';
import { type Check, fine } from './check.ts';

/** The Node that runs this, against what package.json asks for. */
export function nodeCheck(version: string = process.versions.node): Check {
  const { engines } = JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8'));
  const least = /\d+\.\d+/.exec(engines.node)?.[0] ?? '0.0';
  if (isAtLeast(version, least))
    return fine('node', `${version}, with time zone rules ${process.versions.tz}`);
  return {
    name: 'node',
    verdict: 'wrong',
    says: `${version} is too old: ${least} or newer is needed`,
    todo: 'install a newer Node, such as the one that the deployed functions have: 24',
  };
}

function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

interface Emulators {
  /** The native one; undefined where npm has none for this machine. */
  readonly binary: string | undefined;
  /** What DYNAMODB_ENDPOINT says. */
  readonly external: string | undefined;
}

function emulatorsHere(): Emulators {
  return { binary: dynoxideBinary(), external: process.env.DYNAMODB_ENDPOINT };
}

/** Which DynamoDB a data folder is opened with. */
export function emulatorCheck({ binary, external }: Emulators = emulatorsHere()): Check {
  if (external)
    return {
      name: 'emulator',
      verdict: 'note',
      says: `DYNAMODB_ENDPOINT is set: the ledger is at ${external}, and not in the data folder`,
    };
  if (binary === undefined)
    return {
      name: 'emulator',
      verdict: 'note',
      says: `there is no native emulator for ${process.platform}-${process.arch}: dynalite serves, more slowly`,
      ...(isOffered() && { todo: 'npm ci installs it, unless optional dependencies are left out' }),
    };
  return isExecutable(binary)
    ? fine('emulator', 'dynoxide, native')
    : {
        name: 'emulator',
        verdict: 'note',
        says: `${binary} is not executable yet; the next start makes it so`,
      };
}

/** npm has the binary for this machine. */
function isOffered(): boolean {
  const { optionalDependencies = {} } = JSON.parse(
    readFileSync(path.join(packageDir, 'package.json'), 'utf8'),
  );
  return `@dynoxide/${process.platform}-${process.arch}` in optionalDependencies;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
