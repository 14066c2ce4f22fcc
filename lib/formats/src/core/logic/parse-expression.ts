export { parseExpression } from './expression.ts';
