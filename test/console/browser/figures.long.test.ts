import { figures } from './figures.ts';

figures(100_000);
