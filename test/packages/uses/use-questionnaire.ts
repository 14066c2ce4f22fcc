import { type Definition, requiredQuestions, type Validation, validateAnswers } from '@survey/questionnaire';
import testVectors from '@survey/questionnaire/test-vectors.json' with { type: 'json' };

const vector = testVectors.vectors.find(({ title }) => title === 'no answers');
if (vector === undefined) throw new Error('no such vector');
const definition: Definition = vector.definition;
const { errors }: Validation = validateAnswers(definition, vector.answers);
console.log(requiredQuestions(definition, {}).join(), errors.map(({ code }) => code).join());
