import type { Plugin } from 'esbuild';

/** Its beginning tells source maps that no file is behind it. */
const namespace = 'fireledger:credentials';

/** Where the SDK's default chain looks on a person's machine, and what it calls there. */
const ofAPerson: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-sso': 'fromSSO',
  '@aws-sdk/credential-provider-ini': 'fromIni',
  '@aws-sdk/credential-provider-process': 'fromProcess',
  '@aws-sdk/credential-provider-web-identity': 'fromTokenFile',
};

const chain = /[\\/]@aws-sdk[\\/]credential-provider-node[\\/]/;

/**
 * A function has its credentials from its environment, deployed and under `npm start`. So the places that the SDK's default chain
 * would go on to, with the clients that it needs there, are left out: a fifth of a bundle. A job that names such a place itself
 * gets it.
 */
export const functionCredentials: Plugin = {
  name: 'function-credentials',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@aws-sdk\/credential-provider-/ }, ({ path: name, importer, kind }) =>
      name in ofAPerson && kind === 'dynamic-import' && chain.test(importer)
        ? { path: name, namespace }
        : null,
    );
    onLoad({ filter: /./, namespace }, ({ path: name }) => ({
      contents: `export const ${ofAPerson[name]} = () => async () => {
        throw Object.assign(new Error(${JSON.stringify(`${name} is not in a function's bundle`)}), { tryNextLink: true });
      };`,
      loader: 'js',
    }));
  },
};
