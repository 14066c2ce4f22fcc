// A page for respondents, without a framework. It shows one page of a survey at a time, saves the answers after each,
// continues after a reload, and submits. It has controls for choices, ratings, texts, dates and times of day.
import { ApiError, createClient, randomUuid } from '@survey/client';
import { isDisqualified, questionsOf, requiredQuestions, validateAnswers, visiblePages } from '@survey/questionnaire';

/** Shows a survey with `access: open` in an element. */
export async function showSurvey(root, { baseUrl, surveyId }) {
  const { respondents } = createClient({ baseUrl });
  const key = `survey ${surveyId}`;
  const kept = sessionStorage.getItem(key);
  // All that is needed to continue after a reload.
  let state = kept === null ? await begin() : JSON.parse(kept);

  async function begin() {
    const { data: survey, response } = await respondents.getSurvey(surveyId).withResponse();
    // The clock of the device can be wrong.
    const startedAt = new Date(response.headers.get('date') ?? Date.now()).toISOString();
    return { survey, startedAt, answers: {}, page: 0 };
  }

  function change(changes) {
    state = { ...state, ...changes };
    sessionStorage.setItem(key, JSON.stringify(state));
  }

  /** Creates the response, or updates it. Each call can be repeated. */
  async function send(status) {
    const { survey, answers, response, startedAt } = state;
    const { data } = validateAnswers(survey.definition, answers, { partial: true });
    if (response !== undefined) {
      // null removes an answer that was saved earlier.
      const patch = Object.fromEntries(questionsOf(survey.definition).map(({ id }) => [id, data[id] ?? null]));
      return respondents.updateResponse(response.id, { status, data: patch }, { resumeToken: response.resumeToken });
    }
    const { creation = newCreation({ status, data, survey_version: survey.version, started_at: startedAt }) } = state;
    // Keep the key before the request: after a lost reply, only the same key with the same body is safe.
    change({ creation });
    let created;
    try {
      created = await respondents.submitResponse(surveyId, creation.body, { idempotencyKey: creation.idempotencyKey });
    } catch (error) {
      if (isRejected(error)) change({ creation: undefined });
      throw error;
    }
    if (created.status !== 'in_progress') return created;
    change({ creation: undefined, response: { id: created.id, resumeToken: created.resume_token } });
    // A repeated creation has the answers of its first attempt.
    return send(status);
  }

  function render(errors = [], message = '') {
    const { survey, answers, page: position } = state;
    const { definition, languages } = survey;
    const pages = visiblePages(definition, answers);
    const page = pages.findLast(({ index }) => index <= position) ?? pages[0];
    const shown = questionsOf(definition, languages[0]).filter(({ id }) => page?.questions.includes(id));
    const required = new Set(requiredQuestions(definition, answers));
    const form = element('form', { noValidate: true }, [
      ...shown.map((question) => {
        const error = errors.find(({ question_id: id }) => id === question.id);
        return fieldOf(question, answers[question.id], required.has(question.id), error?.detail);
      }),
      element('p', { role: 'alert', textContent: message }),
      element('button', { textContent: 'Continue' }),
    ]);
    const read = () => {
      const values = new FormData(form);
      change({
        answers: { ...state.answers, ...Object.fromEntries(shown.map((one) => [one.id, answerOf(one, values)])) },
      });
    };
    form.onchange = () => {
      read();
      // Logic can show and hide questions of the same page.
      const now = visiblePages(definition, state.answers).find(({ index }) => index === page.index);
      if (String(now?.questions) !== String(page.questions)) render();
    };
    form.onsubmit = (event) => {
      event.preventDefault();
      read();
      goOn(page).catch((error) => {
        if (!(error instanceof ApiError)) throw error;
        render([], `${error.message}. Your answers are kept: please try again.`);
      });
    };
    root.replaceChildren(form);
  }

  async function goOn(page) {
    const { survey, answers } = state;
    const { errors } = validateAnswers(survey.definition, answers);
    // Later pages are not answered yet.
    const ofPage = errors.filter(({ question_id: id }) => page?.questions.includes(id));
    if (ofPage.length > 0) return render(ofPage);
    const next = visiblePages(survey.definition, answers).find(({ index }) => index > page?.index);
    if (next === undefined || isDisqualified(survey.definition, answers)) {
      await send('completed');
      sessionStorage.removeItem(key);
      root.replaceChildren(element('p', { role: 'status', textContent: 'Thank you.' }));
      return;
    }
    await send('in_progress');
    change({ page: next.index });
    render();
  }

  render();
}

const newCreation = (body) => ({ idempotencyKey: randomUuid(), body });

/** Whether the platform has rejected the request. After other errors, it may have stored the response. */
function isRejected(error) {
  if (!(error instanceof ApiError) || error.code === 'UNEXPECTED_REPLY') return false;
  return error.status >= 400 && error.status < 500 && ![408, 429].includes(error.status);
}

const CHOICES = {
  single_choice: (question) => question.options,
  multiple_choice: (question) => question.options,
  rating: ({ values, labels }) => values.map((value) => ({ id: String(value), text: labels.get(value) ?? `${value}` })),
};
const INPUT_TYPES = { text: 'text', textarea: 'text', date: 'date', time: 'time' };

/** Makes the control of a question, with its title, hint and error. */
function fieldOf(question, answer, isRequired, error) {
  const { id, type, title, description } = question;
  const about = [
    element('legend', { textContent: isRequired ? `${title} *` : title, dir: 'auto' }),
    element('p', { textContent: description, dir: 'auto' }),
    element('p', { textContent: error ?? '', className: 'error' }),
  ];
  if (CHOICES[type] === undefined) {
    if (INPUT_TYPES[type] === undefined) throw new Error(`no control for the question type ${type}`);
    const input = element('input', { name: id, type: INPUT_TYPES[type], value: answer ?? '', ariaLabel: title });
    return element('fieldset', {}, [...about, input]);
  }
  const chosen = [answer ?? []].flat().map(String);
  const choices = CHOICES[type](question).map((option) => {
    const input = element('input', {
      name: id,
      type: type === 'multiple_choice' ? 'checkbox' : 'radio',
      value: option.id,
      checked: chosen.includes(option.id),
    });
    return element('label', { dir: 'auto' }, [input, option.text]);
  });
  return element('fieldset', {}, [...about, ...choices]);
}

/** Reads the answer from the form. Undefined means no answer. */
function answerOf({ id, type }, values) {
  if (type === 'multiple_choice') return values.has(id) ? values.getAll(id) : undefined;
  const value = values.get(id) || undefined;
  return type === 'rating' && value !== undefined ? Number(value) : value;
}

function element(tag, properties, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
