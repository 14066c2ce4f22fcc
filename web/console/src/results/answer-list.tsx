import type { Answer, QuestionSummary } from '@survey/client';
import { fileIdsOf } from '@survey/questionnaire/answers/answer-value';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useDownloads } from '../downloads/downloads.tsx';
import { FileList } from '../responses/file-list.tsx';
import { useClient } from '../session/session.tsx';
import { surveyResponsesKey } from '../surveys/response-counts.ts';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/format.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { Empty } from '../ui/states.tsx';
import { CSV_PAGE_SIZE, toAnswerFile } from './answer-csv.ts';
import type { ResultFilter } from './results-search.ts';

const PAGE_SIZE = 10;

interface Props {
  readonly surveyId: string;
  readonly question: QuestionSummary;
  readonly filter: ResultFilter;
  /** Title of the question, for names of controls. */
  readonly title: string;
}

/** The answers to a question with texts or files. They are read on demand, or downloaded. */
export function AnswerList({ title, ...props }: Props) {
  const { question, surveyId } = props;
  const { start } = useDownloads();
  const [isShown, setShown] = useState(false);
  const load = useAnswerPages(props);
  const isFiles = question.type === 'file_upload';
  const noun = isFiles ? 'files' : 'answers';
  const download = () =>
    start({
      group: surveyId,
      fileName: `${title}.csv`,
      mediaType: 'text/csv;charset=utf-8',
      asksWhereToSave: true,
      rowFormat: 'csv',
      open: async (signal) => toAnswerFile((cursor) => load(CSV_PAGE_SIZE, cursor, signal), isFiles, question.answered),
    });
  return (
    <>
      <div className="row-tight no-print">
        <Button
          aria-label={`${isShown ? 'Hide' : 'Show'} ${noun}: ${title}`}
          aria-expanded={isShown}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'} {noun}
        </Button>
        <Button variant="plain" aria-label={`CSV: ${title}`} onPress={() => void download()}>
          CSV
        </Button>
      </div>
      {isShown && <Answers {...props} />}
    </>
  );
}

type AnswersProps = Omit<Props, 'title'>;

/** Returns a function that reads a page of the answers. */
function useAnswerPages({ surveyId, question, filter }: AnswersProps) {
  const client = useClient();
  return (limit: number, cursor: string | undefined, signal: AbortSignal) =>
    client.responses
      .listAnswersByQuery(
        surveyId,
        question.question_id,
        { ...withDefaultStatus(filter), limit, ...(cursor === undefined ? {} : { cursor }) },
        { signal },
      )
      .page();
}

/** Selects only completed responses, like the summary, unless a status is chosen. */
function withDefaultStatus(filter: ResultFilter): ResultFilter {
  return { status: 'completed', ...filter };
}

function Answers({ surveyId, question, filter }: AnswersProps) {
  const load = useAnswerPages({ surveyId, question, filter });
  const query = usePages(
    [...surveyResponsesKey(surveyId), 'answers', question.question_id, withDefaultStatus(filter)],
    (cursor, signal) => load(PAGE_SIZE, cursor, signal),
  );
  return (
    <PagedList query={query} empty={<Empty title="No answers." />}>
      {(answers) => (
        <ul className="plain-list answer-texts">
          {answers.map((answer) => (
            <li key={answer.response_id}>
              <AnswerContent answer={answer} />
              <Link
                className="small"
                to="/surveys/$surveyId/responses/$responseId"
                params={{ surveyId, responseId: answer.response_id }}
              >
                <Time value={answer.created_at} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function AnswerContent({ answer: { response_id, answer } }: { readonly answer: Answer }) {
  const files = fileIdsOf(answer);
  if (files.length > 0) return <FileList responseId={response_id} ids={files} />;
  return (
    <p className="text answer-text" dir="auto">
      {typeof answer === 'string' ? answer : JSON.stringify(answer)}
    </p>
  );
}
