import { figures } from './figures.ts';

figures(20_000);
