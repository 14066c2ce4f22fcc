import { ApiError, type SurveyResponse } from '@survey/client';
import { type Answers, type Definition, visibleQuestions } from '@survey/questionnaire';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useClient } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { displayLanguageOf } from '../ui/display-language.ts';
import { Page } from '../ui/page.tsx';
import { ErrorNotice, Loading, QueryView } from '../ui/states.tsx';
import { AnswerEditor } from './answer-editor.tsx';
import { diffAnswers, sortErrors } from './correction.ts';
import { readQuestions } from './questions.ts';
import { responseKey, responsesKey, useDefinitions, useResponse } from './survey-data.ts';

const FROM = '/surveys/$surveyId/responses/$responseId/correct';

/** A form with all answers of a response. */
export function CorrectionPage() {
  const { surveyId, responseId } = useParams({ from: FROM });
  const loaded = useResponse(responseId);
  const params = { surveyId, responseId };
  return (
    <Page
      title="Correct a response"
      breadcrumbs={[
        <Link key="surveys" to="/surveys">
          Surveys
        </Link>,
        <Link key="responses" to="/surveys/$surveyId/responses" params={params}>
          Responses
        </Link>,
        <Link key="response" to="/surveys/$surveyId/responses/$responseId" params={params}>
          Response
        </Link>,
      ]}
    >
      <QueryView query={loaded}>
        {({ response, etag }) => <Correction key={etag} response={response} etag={etag} reload={loaded.refetch} />}
      </QueryView>
    </Page>
  );
}

interface CorrectionProps {
  readonly response: SurveyResponse;
  readonly etag: string | undefined;
  readonly reload: () => Promise<unknown>;
}

function Correction(props: CorrectionProps) {
  const { survey_id, survey_version } = props.response;
  const definition = useDefinitions(survey_id, [survey_version]).get(survey_version);
  return definition === undefined ? <Loading /> : <CorrectionForm {...props} definition={definition} />;
}

interface FormProps extends CorrectionProps {
  readonly definition: Definition;
}

function CorrectionForm({ response, etag, reload, definition }: FormProps) {
  const { id, survey_id: surveyId } = response;
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const form = useRef<HTMLFormElement>(null);
  const [answers, setAnswers] = useState<Answers>(response.data);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();

  const language = response.language ?? displayLanguageOf(definition);
  const visible = new Set(visibleQuestions(definition, answers));
  const questions = readQuestions(definition, language).filter((question) => visible.has(question.id));
  const { byQuestion, others } = sortErrors(
    error instanceof ApiError ? error : NO_ERRORS,
    new Set(questions.map((question) => question.id)),
  );
  const isStale = error instanceof ApiError && error.status === 412;

  useEffect(() => {
    if (error === undefined) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"]')?.focus();
  }, [error]);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isPending) return;
    const data = diffAnswers(response.data, answers);
    setPending(true);
    setError(undefined);
    try {
      if (Object.keys(data).length > 0) {
        await client.responses.update(id, { data }, etag === undefined ? {} : { ifMatch: etag });
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: responseKey(id) }),
          queryClient.invalidateQueries({ queryKey: responsesKey(surveyId) }),
        ]);
        announce('The response is corrected.');
      }
      await navigate({ to: '/surveys/$surveyId/responses/$responseId', params: { surveyId, responseId: id } });
    } catch (failure) {
      setError(failure);
      setPending(false);
    }
  }

  return (
    <form ref={form} className="stack correction" noValidate onSubmit={(event) => void save(event)}>
      {questions.map((question) => (
        <AnswerEditor
          key={question.id}
          responseId={id}
          question={question}
          answer={answers[question.id]}
          error={byQuestion.get(question.id)}
          onChange={(answer) => setAnswers((before) => ({ ...before, [question.id]: answer }))}
        />
      ))}
      {isStale && (
        <div className="notice" data-tone="warn" role="alert">
          <strong>The response has changed meanwhile</strong>
          <p>Nothing is saved. Load the response again, then repeat your changes.</p>
          <div>
            <Button onPress={() => void reload()}>Load it again</Button>
          </div>
        </div>
      )}
      {byQuestion.size > 0 && (
        <div className="notice" data-tone="bad" role="alert">
          {byQuestion.size === 1 ? 'One answer is invalid.' : `${byQuestion.size} answers are invalid.`} Nothing is
          saved.
        </div>
      )}
      {error !== undefined && !isStale && (byQuestion.size === 0 || others.length > 0) && <ErrorNotice error={error} />}
      <div className="dialog-actions">
        <Link className="button" to="/surveys/$surveyId/responses/$responseId" params={{ surveyId, responseId: id }}>
          Cancel
        </Link>
        <Button type="submit" variant="primary" isPending={isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}

const NO_ERRORS = { errors: [] };
