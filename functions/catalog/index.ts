export { type Bundle, type BundleOptions, type Bundles, bundleFunctions } from './bundle.ts';
export { type Catalog, type LoadOptions, loadCatalog } from './load.ts';
export { CatalogError, type Problem } from './problem.ts';
export type { CatalogJob } from './validate.ts';
