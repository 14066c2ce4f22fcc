export { convertRules as toLogic, type LogicRule } from './convert-rules.ts';
