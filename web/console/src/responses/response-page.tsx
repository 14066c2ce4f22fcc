import type { SurveyResponse } from '@survey/client';
import { type Definition, type Question, visibleQuestions } from '@survey/questionnaire';
import { ownMember } from '@survey/questionnaire/json';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { readPageTitles, readQuestions } from '../definitions/questions.ts';
import { DownloadList } from '../downloads/download-list.tsx';
import { useCan, useClient } from '../session/session.tsx';
import { surveyResponsesKey } from '../surveys/response-counts.ts';
import { SurveyTitle } from '../surveys/survey-name.tsx';
import { useSurvey } from '../surveys/use-survey.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/fields.tsx';
import { chooseLanguage, languagesOf, Time } from '../ui/format.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, QueryView, Status } from '../ui/states.tsx';
import { useNavigateAfter } from '../ui/use-navigate-after.ts';
import { AnswerView } from './answer-view.tsx';
import { formatAnswer } from './format-answer.ts';
import { durationOf } from './response-columns.tsx';
import { ResponseHistory } from './response-history.tsx';
import { responseKey, useLinks, useResponse, useVersionDefinition } from './response-queries.ts';

const FROM = '/surveys/$surveyId/responses/$responseId';

export function ResponsePage() {
  const { responseId } = useParams({ from: FROM });
  const responseQuery = useResponse(responseId);
  return (
    <QueryView query={responseQuery}>
      {({ response, etag }) => <OneResponse response={response} etag={etag} />}
    </QueryView>
  );
}

interface Props {
  readonly response: SurveyResponse;
  readonly etag: string | undefined;
}

function OneResponse({ response, etag }: Props) {
  const { id, survey_id: surveyId, survey_version: version, status } = response;
  const can = useCan();
  const navigate = useNavigate({ from: FROM });
  const search = useSearch({ from: FROM });
  const survey = useSurvey(surveyId);
  const definitionQuery = useVersionDefinition(surveyId, version);
  const { data: definition } = definitionQuery;
  const [isDeleting, setDeleting] = useState(false);
  const languages = languagesOf(definition);
  const wanted = [search.language, response.language].filter((tag) => tag !== undefined);
  const language = chooseLanguage(languages, [...wanted, ...navigator.languages]);
  return (
    <Page
      title="Response"
      status={<Status value={status} />}
      breadcrumbs={[
        <Link key="surveys" to="/surveys">
          Surveys
        </Link>,
        <Link key="survey" to="/surveys/$surveyId" params={{ surveyId }}>
          {survey.data === undefined ? 'Survey' : <SurveyTitle definition={survey.data.survey.definition} />}
        </Link>,
        <Link key="responses" to="/surveys/$surveyId/responses" params={{ surveyId }}>
          Responses
        </Link>,
      ]}
      actions={
        <>
          {can('responses:write') && (
            <Link
              className="button"
              to="/surveys/$surveyId/responses/$responseId/correct"
              params={{ surveyId, responseId: id }}
            >
              Correct
            </Link>
          )}
          {can('responses:delete') && (
            <Button variant="danger" onPress={() => setDeleting(true)}>
              Delete
            </Button>
          )}
        </>
      }
    >
      <DownloadList group={id} />
      <Details response={response} />
      <section className="stack" aria-labelledby="answers">
        <div className="row">
          <h2 id="answers">Answers</h2>
          <LanguageField
            languages={languages}
            value={language}
            onChange={(next) => void navigate({ search: { language: next }, replace: true })}
          />
        </div>
        <QueryView query={definitionQuery}>
          {(shown) => <Answers response={response} definition={shown} language={language} />}
        </QueryView>
      </section>
      <section className="stack" aria-labelledby="history">
        <h2 id="history">History</h2>
        <ResponseHistory responseId={id} questions={readQuestions(definition ?? {}, language)} />
      </section>
      {isDeleting && <DeleteDialog response={response} etag={etag} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

function Details({ response }: { readonly response: SurveyResponse }) {
  const { id, survey_id, survey_version, created_at, started_at, completed_at, updated_at } = response;
  const { language, link_id, invitation_id, external_id, metadata } = response;
  const link = useLinks(survey_id).find((one) => one.id === link_id);
  const duration = durationOf(response);
  return (
    <section className="stack" aria-label="Details">
      <dl>
        <dt>Id</dt>
        <dd>
          <code>{id}</code>
        </dd>
        {started_at !== undefined && (
          <>
            <dt>Started</dt>
            <dd>
              <Time value={started_at} />
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Time value={created_at} />
        </dd>
        <dt>Completed</dt>
        <dd>
          <Time value={completed_at} />
          {duration !== '' && <span className="soft"> after {duration}</span>}
        </dd>
        <dt>Changed</dt>
        <dd>
          <Time value={updated_at} />
        </dd>
        <dt>Version</dt>
        <dd>{survey_version}</dd>
        {language !== undefined && (
          <>
            <dt>Language</dt>
            <dd>
              <bdi>{language}</bdi>
            </dd>
          </>
        )}
        {link_id !== undefined && (
          <>
            <dt>Link</dt>
            <dd>{link === undefined ? <code>{link_id}</code> : link.slug}</dd>
          </>
        )}
        {invitation_id !== undefined && (
          <>
            <dt>Invitation</dt>
            <dd>
              <code>{invitation_id}</code>
            </dd>
          </>
        )}
        {external_id !== undefined && (
          <>
            <dt>External id</dt>
            <dd>
              <bdi>{external_id}</bdi>
            </dd>
          </>
        )}
      </dl>
      {metadata !== undefined && Object.keys(metadata).length > 0 && (
        <details>
          <summary>Metadata</summary>
          <pre dir="auto">{JSON.stringify(metadata, null, 2)}</pre>
        </details>
      )}
    </section>
  );
}

interface LanguageFieldProps {
  readonly languages: readonly string[];
  readonly value: string;
  readonly onChange: (language: string) => void;
}

/** The language of the questions. Renders nothing if the survey has only one. */
function LanguageField({ languages, value, onChange }: LanguageFieldProps) {
  if (languages.length < 2) return null;
  return (
    <SelectField
      label="Language"
      value={value}
      onChange={onChange}
      options={languages.map((language) => ({ value: language, label: language }))}
    />
  );
}

interface AnswersProps {
  readonly response: SurveyResponse;
  readonly definition: Definition;
  readonly language: string;
}

/** The answers page by page, as the respondent saw the questions. */
function Answers({ response: { id, data }, definition, language }: AnswersProps) {
  const questions = readQuestions(definition, language);
  const visible = new Set(visibleQuestions(definition, data));
  const known = new Set(questions.map((question) => question.id));
  const hidden = questions.filter((question) => !visible.has(question.id) && !Object.hasOwn(data, question.id));
  const shown = questions.filter((question) => !hidden.includes(question));
  const unknown = Object.keys(data).filter((questionId) => !known.has(questionId));
  const titles = readPageTitles(definition, language);
  const pages = titles.map((title, index) => ({ title, questions: shown.filter(({ page }) => page === index) }));
  const view = (questionId: string, question?: Question) => (
    <AnswerView responseId={id} answer={formatAnswer(question, ownMember(data, questionId), language)} />
  );
  return (
    <>
      {shown.length === 0 && <Empty title="The respondent saw no questions." />}
      {pages.map(
        (page, index) =>
          page.questions.length > 0 && (
            // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other identity, and never move.
            <section key={index} className="card stack" aria-label={`Page ${index + 1}`}>
              {titles.length > 1 && (
                <h3 dir="auto">
                  <span className="soft">Page {index + 1}</span> {page.title}
                </h3>
              )}
              <dl className="answers">
                {page.questions.map((question) => (
                  <div key={question.id}>
                    <dt dir="auto">{question.title}</dt>
                    <dd>{view(question.id, question)}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ),
      )}
      {unknown.length > 0 && (
        <section className="card stack" aria-label="Other answers">
          <h3>Answers to questions that this version does not have</h3>
          <dl className="answers">
            {unknown.map((questionId) => (
              <div key={questionId}>
                <dt>
                  <code>{questionId}</code>
                </dt>
                <dd>{view(questionId)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {hidden.length > 0 && (
        <details>
          <summary>Questions that were not shown ({hidden.length})</summary>
          <ul>
            {hidden.map((question) => (
              <li key={question.id} dir="auto">
                {question.title}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface DeleteDialogProps extends Props {
  readonly onClose: () => void;
}

function DeleteDialog({ onClose, ...opened }: DeleteDialogProps) {
  // Keep the response as it was when the dialog opened, because the user confirms the deletion of that state.
  const [{ response, etag }] = useState(opened);
  const { id, survey_id: surveyId } = response;
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigateAfter();
  const announce = useAnnounce();
  return (
    <FormDialog
      title="Delete this response?"
      isOpen
      onClose={onClose}
      submitLabel="Delete"
      isDangerous
      onSubmit={async () => {
        await client.responses.delete(id, etag === undefined ? {} : { ifMatch: etag });
        await navigate({ to: '/surveys/$surveyId/responses', params: { surveyId } });
        queryClient.removeQueries({ queryKey: responseKey(id) });
        await queryClient.invalidateQueries({ queryKey: surveyResponsesKey(surveyId) });
        announce('The response is deleted.');
      }}
    >
      <p>Its answers and files are deleted immediately. You cannot restore them.</p>
    </FormDialog>
  );
}
