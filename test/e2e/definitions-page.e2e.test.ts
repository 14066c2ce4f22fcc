import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Api, createApi, createTenant } from '../support/platform.ts';
import { root } from '../support/run-step.ts';

/** A fenced block of the page; its kind is the word after the language: ```json question. */
interface Block {
  readonly kind: string;
  readonly text: string;
}

/** A question of the page with its answers and CSV. */
interface Example {
  readonly question: { readonly id: string; readonly type: string };
  readonly answers: unknown[];
  csv?: string;
}

const page = await readFile(join(root, 'docs/definitions.md'), 'utf8');
const blocks: readonly Block[] = [...page.matchAll(/^```(?:json|csv) (\w+)\n(.*?)\n```$/gms)].map(
  ([, kind = '', text = '']) => ({ kind, text }),
);
const ofKind = (kind: string) => blocks.filter((block) => block.kind === kind).map(({ text }) => JSON.parse(text));

const examples: Example[] = [];
for (const { kind, text } of blocks) {
  const last = examples.at(-1);
  if (kind === 'question') examples.push({ question: JSON.parse(text), answers: [] });
  else if (kind === 'answer') last?.answers.push(JSON.parse(text));
  else if (kind === 'columns' && last !== undefined) last.csv = text;
}

/** The questions to which the logic and the sections of the page refer. */
const named = [
  { id: 'ate', type: 'single_choice', title: 'Ate?', options: ['yes', 'no'] },
  { id: 'guests', type: 'rating', title: 'Guests?', min: 0, max: 100 },
  { id: 'taste', type: 'rating', title: 'Taste?' },
  { id: 'comment', type: 'textarea', title: 'Comment?' },
];

const surveyWith = (questions: unknown, more: object = {}) => ({
  schema_version: '1.0',
  version: 1,
  survey: { title: 'Page', supported_languages: ['en', 'de'], pages: [{ questions }], ...more },
});

let api: Api;
beforeAll(async () => {
  ({ api } = await createTenant());
});

async function publish(payload: unknown): Promise<string> {
  const checked = await api('POST', '/v1/surveys/validate', { body: payload });
  expect(checked.body).toMatchObject({ errors: [] });
  const created = await api('POST', '/v1/surveys', { body: payload });
  expect(created.status).toBe(201);
  expect((await api('POST', `/v1/surveys/${created.body.id}/publish`)).status).toBe(200);
  return created.body.id;
}

async function submit(surveyId: string, body: unknown) {
  const submitted = await createApi()('POST', `/v1/public/surveys/${surveyId}/responses`, { body });
  expect(submitted).toMatchObject({ status: 201 });
  return (await api('GET', `/v1/responses/${submitted.body.id}`)).body;
}

async function upload(surveyId: string, questionId: string): Promise<string> {
  const query = new URLSearchParams({ question_id: questionId, filename: 'receipt.pdf' });
  const url = `${inject('stack').gateway}/v1/public/surveys/${surveyId}/files?${query}`;
  const uploaded = await fetch(url, { method: 'POST', body: '%PDF-1.7' });
  expect(uploaded.status).toBe(201);
  const { file_id: id } = (await uploaded.json()) as { file_id: string };
  return id;
}

describe('docs/definitions.md', () => {
  it('has an example of every question type, with an answer and its CSV', () => {
    const complete = examples.filter(({ answers, csv }) => answers.length > 0 && csv !== undefined);
    expect(new Set(complete.map(({ question }) => question.type)).size).toBe(10);
    expect(blocks.filter(({ kind }) => kind === 'logic').length).toBeGreaterThan(3);
  });

  it('begins with a survey that can be published and answered', async () => {
    const [survey] = ofKind('survey');
    const [response] = ofKind('response');
    expect(await submit(await publish(survey), response)).toMatchObject(response);
  });

  it.each(examples)('$question.type $question.id: accepts the answers and exports them as shown', async (example) => {
    const { question, answers, csv } = example;
    const surveyId = await publish(surveyWith([question]));
    let columns = csv;
    for (const answer of answers) {
      let text = JSON.stringify(answer);
      const [placeholder] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text) ?? [];
      if (placeholder !== undefined) {
        const fileId = await upload(surveyId, question.id);
        text = text.replace(placeholder, fileId);
        columns = columns?.replace(placeholder, fileId);
      }
      const data = { [question.id]: JSON.parse(text) };
      expect((await submit(surveyId, { status: 'completed', data })).data).toEqual(data);
    }
    if (columns === undefined) return;
    const exported = await api('GET', `/v1/surveys/${surveyId}/responses/export?format=csv`);
    const names = columns.slice(0, columns.indexOf('\n'));
    // An export begins with response columns, which contain no line breaks or commas, and ends with metadata.
    const [header = '', ...rows] = exported.body
      .replaceAll('\r\n', '\n')
      .trim()
      .split(/\n(?=[0-9a-f-]{36},)/)
      .map((line: string) => line.slice(0, line.lastIndexOf(',')));
    const own = header.slice(0, -names.length).split(',').length - 1;
    expect(header.endsWith(`,${names}`)).toBe(true);
    const cells = rows.map((row: string) => row.split(',').slice(own).join(','));
    expect(cells.join('\n')).toBe(columns.slice(names.length + 1));
  });

  it.each(ofKind('logic').map((logic) => [JSON.stringify(logic), logic]))(
    'has logic that works: %s',
    async (_, logic) => {
      await publish(surveyWith(named, { logic: [logic], sections: ofKind('section') }));
    },
  );

  it('has settings and screens that work', async () => {
    const [settings] = ofKind('settings');
    const [screen] = ofKind('screen');
    const survey = surveyWith(named, { welcome_screen: screen, thank_you_screen: screen });
    const id = await publish({ ...survey, settings });
    expect((await api('GET', `/v1/surveys/${id}`)).body.settings).toMatchObject({ response_limit: 500 });
  });
});
