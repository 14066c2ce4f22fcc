import { questionsOf } from '@survey/questionnaire';
import { describe, expect, it } from 'vitest';
import { readChoices, readSingle, toAnswer } from './choices.ts';

const [question] = questionsOf({
  pages: [
    {
      questions: [
        {
          id: 'dishes',
          type: 'multiple_choice',
          title: 't',
          options: ['soup', 'rice', { id: 'none', exclusive: true }],
          allow_other: true,
        },
      ],
    },
  ],
});

it.each([
  [undefined, { option: undefined, text: '' }],
  ['tea', { option: 'tea', text: '' }],
  [
    { option: 'other', text: 'Cola' },
    { option: 'other', text: 'Cola' },
  ],
  [
    { option: 1, text: ['Cola'] },
    { option: undefined, text: '' },
  ],
  [['tea'], { option: undefined, text: '' }],
])('a single choice of %j is read', (answer, expected) => {
  expect(readSingle(answer)).toEqual(expected);
});

it.each([
  [undefined, { options: [], other: undefined }],
  [['soup'], { options: ['soup'] }],
  [{ other: 'Cake' }, { options: [], other: 'Cake' }],
  [{ options: 7, other: 8 }, { options: [] }],
  [['soup', 7], { options: ['soup'] }],
  ['soup', { options: [] }],
])('choices of %j are read', (answer, expected) => {
  expect(readChoices(answer)).toEqual(expected);
});

describe('choices', () => {
  it.each([
    ['nothing chosen', { options: ['soup'] }, { options: [] }, undefined],
    ['another option', { options: ['soup'] }, { options: ['soup', 'rice'] }, ['soup', 'rice']],
    [
      'an exclusive option',
      { options: ['soup'], other: 'Cake' },
      { options: ['soup', 'none'], other: 'Cake' },
      ['none'],
    ],
    ['an option after an exclusive one', { options: ['none'] }, { options: ['none', 'soup'] }, ['soup']],
    [
      'a text after an exclusive option',
      { options: ['none'] },
      { options: ['none'], other: '' },
      { options: [], other: '' },
    ],
    [
      'a longer text',
      { options: ['soup'], other: 'C' },
      { options: ['soup'], other: 'Ca' },
      { options: ['soup'], other: 'Ca' },
    ],
  ])('become an answer: %s', (_case, before, after, answer) => {
    if (question?.type !== 'multiple_choice') throw new Error('no such question');
    expect(toAnswer(question, before, after)).toEqual(answer);
  });
});
