/** An acknowledged response. */
export interface ExpectedResponse {
  readonly id: string;
  readonly surveyId: string;
  /** Its `Idempotency-Key`, which is also in its `metadata`. */
  readonly key: string;
  /** The request that created it, unless it was imported. */
  readonly createRequest:
    | { readonly path: string; readonly body: object; readonly headers: Readonly<Record<string, string>> }
    | undefined;
  readonly status: 'in_progress' | 'completed';
  readonly revision: number;
  /** The number of revisions by the tenant. */
  readonly corrections: number;
  readonly comment: string;
  readonly isDeleted: boolean;
  readonly file: ExpectedFile | undefined;
}

export interface ExpectedFile {
  readonly id: string;
  readonly sha256: string;
}

export interface ExpectedSurvey {
  readonly id: string;
  readonly isDeleted: boolean;
}

/** A violation of a guarantee. */
export interface Violation {
  /** For example `lost response`. */
  readonly kind: string;
  readonly detail: string;
}

type Changes = Partial<Pick<ExpectedResponse, 'status' | 'revision' | 'corrections' | 'comment' | 'isDeleted'>>;

interface Rejection {
  /** Whether every attempt of the request was rejected. If not, an attempt without a reply may still be carried out. */
  readonly isFinal: boolean;
}

/** The acknowledgements that clients got, and the violations. */
export interface Ledger {
  readonly responses: ReadonlyMap<string, ExpectedResponse>;
  readonly surveys: ReadonlyMap<string, ExpectedSurvey>;
  readonly violations: readonly Violation[];
  /** Keys of requests that were rejected, for example because of a limit. */
  readonly rejectedKeys: ReadonlyMap<string, Rejection>;
  /** Number of acknowledged writes by action. */
  readonly acknowledged: ReadonlyMap<string, number>;
  add(response: ExpectedResponse, action: string): void;
  change(id: string, changes: Changes, action: string): void;
  setSurvey(survey: ExpectedSurvey, action: string): void;
  reject(key: string, rejection: Rejection): void;
  report(violation: Violation): void;
  /** Picks a completed response and locks it while `work` runs. */
  withOne(random: () => number, work: (response: ExpectedResponse) => Promise<void>): Promise<void>;
}

/** Half of the picks are among this many of the newest responses, so that changes and delayed writes coincide. */
const NEWEST = 20;
const MOST_TRIES = 20;

export function createLedger(): Ledger {
  const responses = new Map<string, ExpectedResponse>();
  const surveys = new Map<string, ExpectedSurvey>();
  const acknowledged = new Map<string, number>();
  const violations: Violation[] = [];
  const rejectedKeys = new Map<string, Rejection>();
  const ids: string[] = [];
  const busy = new Set<string>();

  const count = (action: string) => acknowledged.set(action, (acknowledged.get(action) ?? 0) + 1);

  function findOne(random: () => number): ExpectedResponse | undefined {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const among = random() < 0.5 ? Math.min(NEWEST, ids.length) : ids.length;
      const response = responses.get(ids[ids.length - 1 - Math.floor(random() * among)] ?? '');
      if (response?.status === 'completed' && !response.isDeleted && !busy.has(response.id)) return response;
    }
    return undefined;
  }

  return {
    responses,
    surveys,
    violations,
    rejectedKeys,
    acknowledged,
    add(response, action) {
      if (responses.has(response.id))
        violations.push({ kind: 'two requests got one response', detail: `${response.id} by ${response.key}` });
      responses.set(response.id, response);
      ids.push(response.id);
      count(action);
    },
    change(id, changes, action) {
      const response = responses.get(id);
      if (response === undefined) throw new Error(`no response ${id}`);
      responses.set(id, { ...response, ...changes });
      count(action);
    },
    setSurvey(survey, action) {
      surveys.set(survey.id, survey);
      count(action);
    },
    reject: (key, rejection) => void rejectedKeys.set(key, rejection),
    report: (violation) => void violations.push(violation),
    async withOne(random, work) {
      const response = findOne(random);
      if (response === undefined) return;
      busy.add(response.id);
      try {
        await work(response);
      } finally {
        busy.delete(response.id);
      }
    },
  };
}
