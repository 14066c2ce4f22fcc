export { NotConvertedError } from './formula.ts';
