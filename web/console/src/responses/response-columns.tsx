import type { Link, SurveyResponse } from '@survey/client';
import type { Definition, Question } from '@survey/questionnaire';
import { ownMember } from '@survey/questionnaire/json';
import { shorten } from '@survey/questionnaire/shorten';
import { Link as RouterLink } from '@tanstack/react-router';
import { useState } from 'react';
import { readQuestions } from '../definitions/questions.ts';
import type { Column } from '../ui/data-table.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Checkbox, FieldGroup } from '../ui/fields.tsx';
import { formatDuration, Time } from '../ui/format.tsx';
import { Status } from '../ui/states.tsx';
import { formatAnswer, toLine } from './format-answer.ts';
import { MAX_COLUMNS } from './response-search.ts';

/** Columns about the response itself, by name. Ids of questions have no colon, so these names are never ids. */
const RESPONSE_COLUMNS = {
  ':status': 'Status',
  ':completed_at': 'Completed',
  ':duration': 'Duration',
  ':language': 'Language',
  ':link_id': 'Link',
  ':invitation_id': 'Invitation',
  ':survey_version': 'Version',
  ':updated_at': 'Changed',
  ':external_id': 'External id',
  ':id': 'Id',
} as const;

type ResponseColumn = keyof typeof RESPONSE_COLUMNS;

const MAX_DEFAULT_QUESTIONS = 4;
const MAX_CELL_LENGTH = 300;

/** A column that can be chosen. */
interface ColumnChoice {
  readonly id: string;
  readonly label: string;
}

export const responseColumnChoices: readonly ColumnChoice[] = Object.entries(RESPONSE_COLUMNS).map(([id, label]) => ({
  id,
  label,
}));

/** The columns that are shown unless others are chosen. */
export function defaultColumns(questions: readonly Question[]): readonly string[] {
  return [':status', ...questions.slice(0, MAX_DEFAULT_QUESTIONS).map(({ id }) => id)];
}

interface Context {
  readonly surveyId: string;
  /** The language of titles and texts. */
  readonly language: string;
  /** The definition of each version, as far as they are loaded. */
  readonly definitions: ReadonlyMap<number, Definition>;
  readonly links: readonly Link[];
}

/** Makes the columns of the table. The first one leads to the response. */
export function createColumns(
  chosen: readonly string[],
  titles: ReadonlyMap<string, string>,
  { surveyId, language, definitions, links }: Context,
): readonly Column<SurveyResponse>[] {
  const questionsOf = createQuestionIndex(definitions, language);
  const slugs = new Map(links.map(({ id, slug }) => [id, slug]));
  return [
    {
      id: ':created_at',
      header: 'Created',
      cell: ({ id, created_at }) => (
        <RouterLink to="/surveys/$surveyId/responses/$responseId" params={{ surveyId, responseId: id }}>
          <Time value={created_at} />
        </RouterLink>
      ),
    },
    ...chosen.map((id): Column<SurveyResponse> => {
      if (isResponseColumn(id)) {
        return { id, header: RESPONSE_COLUMNS[id], cell: (response) => <ResponseCell {...{ id, response, slugs }} /> };
      }
      return {
        id,
        header: titles.get(id) ?? id,
        cell: ({ data, survey_version }) => (
          <Text
            text={toLine(formatAnswer(questionsOf(survey_version).get(id), ownMember(data, id), navigator.language))}
          />
        ),
      };
    }),
  ];
}

function isResponseColumn(id: string): id is ResponseColumn {
  return Object.hasOwn(RESPONSE_COLUMNS, id);
}

/** Returns a function that returns the questions of a version by id. It reads each version only once. */
function createQuestionIndex(definitions: ReadonlyMap<number, Definition>, language: string) {
  const byVersion = new Map<number, ReadonlyMap<string, Question>>();
  return (version: number): ReadonlyMap<string, Question> => {
    const cached = byVersion.get(version);
    if (cached !== undefined) return cached;
    const questions = readQuestions(definitions.get(version) ?? {}, language);
    const byId = new Map(questions.map((question) => [question.id, question]));
    byVersion.set(version, byId);
    return byId;
  };
}

interface ResponseCellProps {
  readonly id: ResponseColumn;
  readonly response: SurveyResponse;
  /** Slugs of links by id. */
  readonly slugs: ReadonlyMap<string, string>;
}

function ResponseCell({ id, response, slugs }: ResponseCellProps) {
  switch (id) {
    case ':status':
      return <Status value={response.status} />;
    case ':completed_at':
      return <Time value={response.completed_at} />;
    case ':updated_at':
      return <Time value={response.updated_at} />;
    case ':duration':
      return <Text text={durationOf(response)} />;
    case ':language':
      return <Text text={response.language ?? ''} />;
    case ':link_id':
      return <Text text={response.link_id === undefined ? '' : (slugs.get(response.link_id) ?? response.link_id)} />;
    case ':invitation_id':
      return <Text text={response.invitation_id ?? ''} />;
    case ':survey_version':
      return <Text text={String(response.survey_version)} />;
    case ':external_id':
      return <Text text={response.external_id ?? ''} />;
    case ':id':
      return <code>{response.id}</code>;
  }
}

/** The time from the start to the completion; empty if one of them is unknown. */
export function durationOf({ started_at, completed_at }: SurveyResponse): string {
  if (started_at === undefined || completed_at === undefined) return '';
  const milliseconds = Date.parse(completed_at) - Date.parse(started_at);
  // Imports without a start have the same time twice.
  return milliseconds > 0 ? formatDuration(milliseconds) : '';
}

/** The beginning of a text that respondents control. The page of the response has all of it. */
function Text({ text }: { readonly text: string }) {
  return (
    <span className="clamped" dir="auto">
      {shorten(text, MAX_CELL_LENGTH)}
    </span>
  );
}

const MAX_LABEL_LENGTH = 150;

interface Props {
  readonly responseColumns: readonly ColumnChoice[];
  readonly questionColumns: readonly ColumnChoice[];
  readonly chosen: readonly string[];
  readonly onChoose: (columns: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Chooses the columns of the table. They appear in the order of the dialog. */
export function ColumnDialog({ responseColumns, questionColumns, chosen, onChoose, onClose }: Props) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(() => new Set(chosen));
  const all = [...responseColumns, ...questionColumns];
  const columns = all.map(({ id }) => id).filter((id) => selected.has(id));
  const group = (label: string, choices: readonly ColumnChoice[]) => (
    <FieldGroup label={label}>
      {choices.map((choice) => (
        <Checkbox
          key={choice.id}
          label={shorten(choice.label, MAX_LABEL_LENGTH)}
          checked={selected.has(choice.id)}
          onChange={(checked) =>
            setSelected(
              (before) => new Set(checked ? [...before, choice.id] : [...before].filter((id) => id !== choice.id)),
            )
          }
        />
      ))}
    </FieldGroup>
  );
  return (
    <FormDialog
      title="Columns"
      isOpen
      onClose={onClose}
      submitLabel="Show these"
      onSubmit={async () => {
        if (columns.length === 0) throw new Error('Choose at least one column.');
        if (columns.length > MAX_COLUMNS) throw new Error(`Choose at most ${MAX_COLUMNS} columns.`);
        onChoose(columns);
      }}
    >
      {group('About the response', responseColumns)}
      {group('Questions', questionColumns)}
    </FormDialog>
  );
}
