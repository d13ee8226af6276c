import { startDynalite } from './dynalite.ts';
import { dynoxideBinary, startDynoxide } from './dynoxide.ts';

export interface DynamoDbOptions {
  /**
   * Which emulator serves.
   * @default 'auto' - the native one where npm has its binary, otherwise dynalite
   */
  readonly engine?: 'auto' | 'dynoxide' | 'dynalite';
  /**
   * Where the data is kept (dynalite keeps a folder of that name with `.level` behind it).
   * @default - in memory
   */
  readonly file?: string;
  /** Told when the emulator ended without being asked to. */
  readonly onExit?: (message: string) => void;
}

export interface DynamoDb {
  /** `http://127.x.y.z:PORT`, or what DYNAMODB_ENDPOINT says. */
  readonly endpoint: string;
  /** `dynoxide`, `dynalite`, or `external` for DYNAMODB_ENDPOINT. */
  readonly engine: string;
  close(): Promise<void>;
}

/**
 * Starts a DynamoDB API on loopback, ready for requests when the promise resolves. DYNAMODB_ENDPOINT overrides it, and
 * such a service is left alone by `close`. Rejects with one message when the emulator can't start.
 */
export async function startDynamoDb(options: DynamoDbOptions = {}): Promise<DynamoDb> {
  const external = process.env.DYNAMODB_ENDPOINT;
  if (external) return { endpoint: external, engine: 'external', close: async () => {} };
  const binary = options.engine === 'dynalite' ? undefined : dynoxideBinary();
  if (binary !== undefined) return startDynoxide({ ...options, binary });
  if (options.engine === 'dynoxide') {
    throw new Error(
      `No dynoxide binary for ${process.platform}-${process.arch}: use the engine 'dynalite', or set DYNAMODB_ENDPOINT.`,
    );
  }
  return startDynalite(options.file === undefined ? undefined : `${options.file}.level`);
}
