export { escapePattern } from './expression.ts';
