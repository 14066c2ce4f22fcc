export { whereChosen } from './formula.ts';
