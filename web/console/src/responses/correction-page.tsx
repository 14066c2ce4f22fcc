import { ApiError } from '@survey/client';
import { type Answers, type Definition, visibleQuestions } from '@survey/questionnaire';
import { ownMember } from '@survey/questionnaire/json';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { readQuestions } from '../definitions/questions.ts';
import { UnsavedChanges } from '../definitions/unsaved-changes.tsx';
import { useClient } from '../session/session.tsx';
import { surveyResponsesKey } from '../surveys/response-counts.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { TextAreaField } from '../ui/fields.tsx';
import { displayLanguageOf } from '../ui/format.tsx';
import { Page } from '../ui/page.tsx';
import { removeUndefined } from '../ui/search-values.ts';
import { ErrorNotice, QueryView } from '../ui/states.tsx';
import { useNavigateAfter } from '../ui/use-navigate-after.ts';
import { AnswerEditor } from './answer-editor.tsx';
import { diffAnswers, groupErrors } from './correction.ts';
import { diffMetadata, formatMetadata, parseMetadata } from './metadata.ts';
import { type LoadedResponse, responseKey, useResponseToEdit, useVersionDefinition } from './response-queries.ts';

const FROM = '/surveys/$surveyId/responses/$responseId/correct';

/** A form with all answers of a response, and its metadata. */
export function CorrectionPage() {
  const { surveyId, responseId } = useParams({ from: FROM });
  const responseQuery = useResponseToEdit(responseId);
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
      <QueryView query={responseQuery}>
        {(record) => (
          <Correction opened={record} load={async () => (await responseQuery.refetch({ throwOnError: true })).data} />
        )}
      </QueryView>
    </Page>
  );
}

interface CorrectionProps {
  readonly opened: LoadedResponse;
  /** Reads the response again. */
  readonly load: () => Promise<LoadedResponse | undefined>;
}

function Correction({ opened, load }: CorrectionProps) {
  // Edit the response as it was opened. A newer one would replace the edits, so it is loaded only if the user asks for
  // it.
  const [record, setRecord] = useState(opened);
  const { survey_id, survey_version } = record.response;
  const definitionQuery = useVersionDefinition(survey_id, survey_version);
  return (
    <QueryView query={definitionQuery}>
      {(definition) => (
        <CorrectionForm
          key={record.etag}
          {...record}
          definition={definition}
          reload={async () => {
            const next = await load();
            if (next !== undefined) setRecord(next);
          }}
        />
      )}
    </QueryView>
  );
}

interface FormProps extends LoadedResponse {
  readonly definition: Definition;
  readonly reload: () => Promise<void>;
}

function CorrectionForm({ response, etag, reload, definition }: FormProps) {
  const { id, survey_id: surveyId } = response;
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigateAfter();
  const announce = useAnnounce();
  const form = useRef<HTMLFormElement>(null);
  const [answers, setAnswers] = useState<Answers>(response.data);
  const [metadataText, setMetadataText] = useState(() => formatMetadata(response.metadata));
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const [incomplete, setIncomplete] = useState<ReadonlySet<string>>(NO_QUESTIONS);
  /** Number of attempts to save invalid metadata. */
  const [rejections, setRejections] = useState(0);
  const isLeaving = useRef(false);
  const changes = diffAnswers(response.data, answers);
  const metadata = parseMetadata(metadataText);
  const metadataChange = metadata && diffMetadata(response.metadata, metadata);
  const isDirty = Object.keys(changes).length > 0 || metadata === undefined || metadataChange !== undefined;

  const language = response.language ?? displayLanguageOf(definition);
  const visible = new Set(visibleQuestions(definition, answers));
  const questions = readQuestions(definition, language).filter((question) => visible.has(question.id));
  const { byQuestion, ofMetadata, others } = groupErrors(
    error instanceof ApiError ? error : NO_ERRORS,
    new Set(questions.map((question) => question.id)),
  );
  const metadataError = metadata === undefined ? NOT_AN_OBJECT : ofMetadata;
  const isStale = error instanceof ApiError && error.status === 412;

  useEffect(() => {
    if (error === undefined && incomplete.size === 0 && rejections === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"]')?.focus();
  }, [error, incomplete, rejections]);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isPending) return;
    setError(undefined);
    const unfinished = findIncomplete(form.current);
    setIncomplete(unfinished);
    if (unfinished.size > 0) return;
    if (metadata === undefined) return setRejections((count) => count + 1);
    setPending(true);
    try {
      if (isDirty) {
        const correction = removeUndefined({
          data: Object.keys(changes).length > 0 ? changes : undefined,
          metadata: metadataChange,
        });
        await client.responses.update(id, correction, etag === undefined ? {} : { ifMatch: etag });
        isLeaving.current = true;
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: responseKey(id) }),
          queryClient.invalidateQueries({ queryKey: surveyResponsesKey(surveyId) }),
        ]);
        announce('The response is corrected.');
      }
      isLeaving.current = true;
      await navigate({ to: '/surveys/$surveyId/responses/$responseId', params: { surveyId, responseId: id } });
    } catch (failure) {
      setError(failure);
      setPending(false);
    }
  }

  return (
    <>
      <form ref={form} className="stack correction" noValidate onSubmit={(event) => void save(event)}>
        {questions.map((question) => (
          <div key={question.id} data-question={question.id}>
            <AnswerEditor
              responseId={id}
              question={question}
              answer={ownMember(answers, question.id)}
              error={incomplete.has(question.id) ? INCOMPLETE : byQuestion.get(question.id)}
              onChange={(answer) => setAnswers((before) => ({ ...before, [question.id]: answer }))}
            />
          </div>
        ))}
        <TextAreaField
          label="Metadata"
          description="A JSON object with data of your systems. Empty for none. Members that are null are removed."
          error={metadataError}
          value={metadataText}
          onChange={setMetadataText}
        />
        {isStale && (
          <div className="notice" data-tone="warn" role="alert">
            <strong>The response has changed meanwhile</strong>
            <p>Nothing is saved. Load the response again, then repeat your changes.</p>
            <div>
              <Button onPress={() => void reload().catch(setError)}>Load it again</Button>
            </div>
          </div>
        )}
        {byQuestion.size > 0 && (
          <div className="notice" data-tone="bad" role="alert">
            {byQuestion.size === 1 ? 'One answer is invalid.' : `${byQuestion.size} answers are invalid.`} Nothing is
            saved.
          </div>
        )}
        {error !== undefined &&
          !isStale &&
          ((byQuestion.size === 0 && ofMetadata === undefined) || others.length > 0) && <ErrorNotice error={error} />}
        <div className="dialog-actions">
          <Link className="button" to="/surveys/$surveyId/responses/$responseId" params={{ surveyId, responseId: id }}>
            Cancel
          </Link>
          <Button type="submit" variant="primary" isPending={isPending}>
            Save
          </Button>
        </div>
      </form>
      <UnsavedChanges isDirty={() => isDirty && !isLeaving.current} loss="Your changes of the response are lost." />
    </>
  );
}

const NOT_AN_OBJECT = 'This is not a JSON object, such as {"shop": "Vienna"}.';
const NO_ERRORS = { errors: [] };
const NO_QUESTIONS: ReadonlySet<string> = new Set();
const INCOMPLETE = 'The value is incomplete. Complete it, or remove all of it.';

/**
 * Returns the ids of questions with a half-entered date, time or number. Browsers report such a value as empty text, so
 * saving would delete the answer. They send no `change` event if the field was empty before, so check when saving.
 */
function findIncomplete(form: HTMLFormElement | null): ReadonlySet<string> {
  const inputs = [...(form?.querySelectorAll('input') ?? [])].filter(({ validity }) => validity.badInput);
  return new Set(inputs.flatMap((input) => input.closest<HTMLElement>('[data-question]')?.dataset['question'] ?? []));
}
