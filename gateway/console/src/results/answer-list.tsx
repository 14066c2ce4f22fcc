import type { Answer, QuestionSummary } from '@survey/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FileList } from '../responses/file-list.tsx';
import { fileIdsOf } from '../responses/format-answer.ts';
import { responsesKey } from '../responses/survey-data.ts';
import { useClient } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Time } from '../ui/format.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { Empty } from '../ui/states.tsx';
import type { ResultFilter } from './results-search.ts';

const PAGE_SIZE = 10;

interface Props {
  readonly surveyId: string;
  readonly question: QuestionSummary;
  readonly filter: ResultFilter;
  /** Title of the question, for names of controls. */
  readonly title: string;
}

/** The answers to a question with texts or files. They are read on demand. */
export function AnswerList({ title, ...props }: Props) {
  const [isShown, setShown] = useState(false);
  const what = props.question.type === 'file_upload' ? 'files' : 'answers';
  return (
    <>
      <div className="no-print">
        <Button
          aria-label={`${isShown ? 'Hide' : 'Show'} ${what}: ${title}`}
          aria-expanded={isShown}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'} {what}
        </Button>
      </div>
      {isShown && <Answers {...props} />}
    </>
  );
}

function Answers({ surveyId, question, filter }: Omit<Props, 'title'>) {
  const client = useClient();
  // As in the summary: without a state, completed responses.
  const counted = { status: 'completed' as const, ...filter };
  const query = usePages([...responsesKey(surveyId), 'answers', question.question_id, counted], (cursor, signal) =>
    client.responses
      .listAnswers(
        surveyId,
        question.question_id,
        { ...counted, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) },
        { signal },
      )
      .page(),
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
