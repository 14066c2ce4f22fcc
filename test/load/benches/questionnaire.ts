import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { definitionJsonSchema } from '@survey/questionnaire/definition-json-schema';
import { HOSTILE_DEFINITIONS } from '@survey/questionnaire/testing/hostile-definitions';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Bench, type Figure, median } from '../bench-report.ts';
import { hostileMatching, surveyOf } from './questionnaire-surveys.ts';

const LINT_TARGET_MS = 30;
const COMPILE_TARGET_MS = 10;
const VALIDATE_TARGET_US = 100;
const HOSTILE_TARGET_MS = 200;

/** Measures compilation, lint and validation, compared with parsing the same JSON. */
export const bench: Bench = async () => [...everyday(), ...hostile()];

function everyday(): readonly Figure[] {
  const { definition, response } = surveyOf({ questions: 200, rules: 100 });
  const large = surveyOf({ questions: 1_000, rules: 500 }).definition;
  const definitionText = JSON.stringify(definition);
  const responseText = JSON.stringify(response);
  const { lint, validate } = compile(definition);
  const { data, errors } = validate(response);
  if (lint.errors.length + errors.length > 0) throw new Error(`invalid sample: ${JSON.stringify([lint, errors])}`);

  const compiling = medianMs(60, () => compile(definition));
  const parsing = medianMs(60, () => JSON.parse(definitionText));
  const validating = medianMs(60, () => validate(response), 50) * 1_000;
  const parsingResponse = medianMs(60, () => JSON.parse(responseText), 50) * 1_000;
  const linting = medianMs(60, () => lintOf(large));
  const checking = medianMs(60, () => checkShape(large));
  const compilingLarge = medianMs(60, () => compile(large));
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, validateFormats: false });
  const validateWithAjv = ajv.compile(definitionJsonSchema());
  const checkingWithAjv = medianMs(60, () => validateWithAjv(large));
  return [
    figure('compile, 200 questions and 100 rules', compiling, 'ms', COMPILE_TARGET_MS),
    figure(`validate, ${Object.keys(data).length} answers to it`, validating, 'µs', VALIDATE_TARGET_US),
    figure('lint, 1,000 questions and 500 rules', linting, 'ms', LINT_TARGET_MS),
    figure('check the shape, 1,000 questions and 500 rules', checking, 'ms'),
    figure('compile, 1,000 questions and 500 rules', compilingLarge, 'ms'),
    figure('check the shape to ajv with the JSON Schema', checking / checkingWithAjv, 'ratio'),
    figure('check the shape to compile', checking / compilingLarge, 'ratio'),
    figure('floor: parse the definition of 200 questions', parsing, 'ms'),
    figure('floor: parse the answers', parsingResponse, 'µs'),
    figure('compile to floor', compiling / parsing, 'ratio'),
    figure('validate to floor', validating / parsingResponse, 'ratio'),
  ];
}

function hostile(): readonly Figure[] {
  const { definition, response } = hostileMatching();
  const { validate } = compile(definition);
  return [
    ...Object.entries(HOSTILE_DEFINITIONS).map(([name, make]) => {
      const hostileDefinition = make();
      return figure(
        `hostile: ${name}`,
        medianMs(9, () => lintAndAnswer(hostileDefinition)),
        'ms',
        HOSTILE_TARGET_MS,
      );
    }),
    figure(
      'hostile: a text that a pattern works on',
      medianMs(9, () => validate(response)),
      'ms',
      HOSTILE_TARGET_MS,
    ),
  ];
}

/** All checks before publishing, with the result as JSON. */
function lintOf(definition: unknown): string {
  return JSON.stringify([checkShape(definition), compile(definition).lint]);
}

/** The same with the first validation, which compiles patterns, and the JSON Schema of the answers. */
function lintAndAnswer(definition: unknown): string {
  const { lint, validate, answersJsonSchema } = compile(definition);
  return JSON.stringify([checkShape(definition), lint, validate({ q: 'a' }), answersJsonSchema()]);
}

/** The median time of a call over some rounds, after the same number of warm-up rounds. */
function medianMs(rounds: number, run: () => unknown, times = 1): number {
  const round = () => {
    const start = performance.now();
    for (let n = 0; n < times; n += 1) run();
    return (performance.now() - start) / times;
  };
  for (let n = 0; n < rounds; n += 1) round();
  return median(Array.from({ length: rounds }, round));
}

function figure(name: string, value: number, unit: string, atMost?: number): Figure {
  return { name, value, unit, ...(atMost === undefined ? {} : { atMost }) };
}
