// Generated from the event catalog in services/webhook/src/events: change it there, then run
// npx vitest run --project unit services/webhook/src/events/published-events.test.ts -u

/** Members of all events. Ignore members that you do not know: later versions may add some. */
export interface EventEnvelope {
  /** Version of the format of events. */
  api_version: 'v1';
  /** Id of the delivery, the same in each retry. Store it to ignore repeated deliveries. */
  delivery_id: string;
  /** When the delivery was created. */
  timestamp: string;
}

/** A response was completed, or a completed response was imported. */
export interface ResponseSubmittedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'response.submitted';
  /** What happened. */
  data: {
    /** Id of the response. */
    response_id: string;
    /** Id of the survey. */
    survey_id: string;
    /** Version of the survey that the respondent answered. */
    survey_version: number;
    /** Status of the response. */
    status: 'in_progress' | 'completed' | 'disqualified' | 'abandoned';
    /** When the respondent started. */
    started_at?: string;
    /** When the response was completed or disqualified. */
    completed_at?: string;
    /** Language in which the respondent answered. */
    language?: string;
    /** Id of the link through which the response was submitted. */
    link_id?: string;
    /** Only for webhooks with include_answers: answers by question id, as read before the first attempt, at this revision or a later one. Null if the response had been deleted. */
    answers?: Record<string, unknown> | null;
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** A user corrected a response. */
export interface ResponseUpdatedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'response.updated';
  /** What happened. */
  data: {
    /** Id of the response. */
    response_id: string;
    /** Id of the survey. */
    survey_id: string;
    /** Version of the survey that the respondent answered. */
    survey_version: number;
    /** Status of the response. */
    status: 'in_progress' | 'completed' | 'disqualified' | 'abandoned';
    /** When the respondent started. */
    started_at?: string;
    /** When the response was completed or disqualified. */
    completed_at?: string;
    /** Language in which the respondent answered. */
    language?: string;
    /** Id of the link through which the response was submitted. */
    link_id?: string;
    /** Only for webhooks with include_answers: answers by question id, as read before the first attempt, at this revision or a later one. Null if the response had been deleted. */
    answers?: Record<string, unknown> | null;
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** A user deleted a response. `status` is its last status. */
export interface ResponseDeletedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'response.deleted';
  /** What happened. */
  data: {
    /** Id of the response. */
    response_id: string;
    /** Id of the survey. */
    survey_id: string;
    /** Version of the survey that the respondent answered. */
    survey_version: number;
    /** Status of the response. */
    status: 'in_progress' | 'completed' | 'disqualified' | 'abandoned';
    /** When the respondent started. */
    started_at?: string;
    /** When the response was completed or disqualified. */
    completed_at?: string;
    /** Language in which the respondent answered. */
    language?: string;
    /** Id of the link through which the response was submitted. */
    link_id?: string;
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** A survey was created. */
export interface SurveyCreatedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'survey.created';
  /** What happened. */
  data: {
    /** Id of the survey. */
    survey_id: string;
    /** Title of the survey, in its first language. */
    title: string;
    /** Newest version of its definition. */
    version: number;
    /** Status of the survey. */
    status: 'draft' | 'active' | 'closed' | 'deleted';
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** A survey was changed or restored. */
export interface SurveyUpdatedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'survey.updated';
  /** What happened. */
  data: {
    /** Id of the survey. */
    survey_id: string;
    /** Title of the survey, in its first language. */
    title: string;
    /** Newest version of its definition. */
    version: number;
    /** Status of the survey. */
    status: 'draft' | 'active' | 'closed' | 'deleted';
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** A survey, or a new version of it, was published and accepts responses. */
export interface SurveyPublishedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'survey.published';
  /** What happened. */
  data: {
    /** Id of the survey. */
    survey_id: string;
    /** Title of the survey, in its first language. */
    title: string;
    /** Newest version of its definition. */
    version: number;
    /** Status of the survey. */
    status: 'draft' | 'active' | 'closed' | 'deleted';
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** A survey was closed and accepts no more responses. */
export interface SurveyClosedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'survey.closed';
  /** What happened. */
  data: {
    /** Id of the survey. */
    survey_id: string;
    /** Title of the survey, in its first language. */
    title: string;
    /** Newest version of its definition. */
    version: number;
    /** Status of the survey. */
    status: 'draft' | 'active' | 'closed' | 'deleted';
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** A survey was deleted. */
export interface SurveyDeletedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'survey.deleted';
  /** What happened. */
  data: {
    /** Id of the survey. */
    survey_id: string;
    /** Title of the survey, in its first language. */
    title: string;
    /** Newest version of its definition. */
    version: number;
    /** Status of the survey. */
    status: 'draft' | 'active' | 'closed' | 'deleted';
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** A submission took the last seat of a survey with a response limit. */
export interface SurveyLimitReachedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'survey.limit_reached';
  /** What happened. */
  data: {
    /** Id of the survey. */
    survey_id: string;
    /** Id of the response that took the last seat. The `revision` of the event is the revision of this response. */
    response_id: string;
    /** Number of completed responses that the survey accepts. */
    response_limit: number;
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** An import ended and stored data. */
export interface ImportCompletedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'import.completed';
  /** What happened. */
  data: {
    /** Id of the import. */
    id: string;
    /** The tool that made the file. */
    source: string;
    /** The format of the file. */
    format: string;
    /** Status of the import. */
    status: 'completed' | 'failed' | 'cancelled';
    /** Number of responses in the file. */
    total: number;
    /** Number of responses that were stored. */
    imported: number;
    /** Number of responses that already existed. */
    skipped: number;
    /** Number of responses that could not be stored. */
    failed: number;
    /** Number of questions of the survey. */
    questions: number;
    /** The first 100 warnings: parts of the file that were left out or changed. */
    warnings: {
      /** Location in the imported file: a JSON pointer, empty for the whole file. */
      path: string;
      /** Code of the problem, for programs. */
      code: string;
      /** Description of the problem, for people. */
      detail: string;
    }[];
    /** The first 100 responses that could not be stored. */
    errors: {
      /** Index of the response in the file, from 0. */
      index: number;
      /** Id of the response in the file. */
      id: string;
      /** Code of the problem, for programs. */
      code: string;
      /** Description of the problem, for people. */
      detail: string;
    }[];
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** An import ended without storing data, was cancelled, or its file was incomplete. */
export interface ImportFailedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'import.failed';
  /** What happened. */
  data: {
    /** Id of the import. */
    id: string;
    /** The tool that made the file. */
    source: string;
    /** The format of the file. */
    format: string;
    /** Status of the import. */
    status: 'completed' | 'failed' | 'cancelled';
    /** Number of responses in the file. */
    total: number;
    /** Number of responses that were stored. */
    imported: number;
    /** Number of responses that already existed. */
    skipped: number;
    /** Number of responses that could not be stored. */
    failed: number;
    /** Number of questions of the survey. */
    questions: number;
    /** The first 100 warnings: parts of the file that were left out or changed. */
    warnings: {
      /** Location in the imported file: a JSON pointer, empty for the whole file. */
      path: string;
      /** Code of the problem, for programs. */
      code: string;
      /** Description of the problem, for people. */
      detail: string;
    }[];
    /** The first 100 responses that could not be stored. */
    errors: {
      /** Index of the response in the file, from 0. */
      index: number;
      /** Id of the response in the file. */
      id: string;
      /** Code of the problem, for programs. */
      code: string;
      /** Description of the problem, for people. */
      detail: string;
    }[];
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** The platform disabled a webhook. The other webhooks of the tenant get this event. */
export interface WebhookDisabledEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'webhook.disabled';
  /** What happened. */
  data: {
    /** Id of the webhook. */
    webhook_id: string;
    /** `gone`: the receiver replied with 410. `failing`: all deliveries failed for days. */
    reason: 'gone' | 'failing';
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** A user tests a webhook. Only this webhook gets the event, whatever its event types are. A test changes no data. */
export interface WebhookTestEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'webhook.test';
  /** What happened. */
  data: {
    /** Id of the webhook. */
    webhook_id: string;
    /** Always the same text. */
    message: string;
    /** When the record changed. Use it to order events of different records approximately. */
    occurred_at: string;
    /** Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
    revision: number;
  };
}

/** An event. Its member `event` has the type. */
export type WebhookEvent =
  | ResponseSubmittedEvent
  | ResponseUpdatedEvent
  | ResponseDeletedEvent
  | SurveyCreatedEvent
  | SurveyUpdatedEvent
  | SurveyPublishedEvent
  | SurveyClosedEvent
  | SurveyDeletedEvent
  | SurveyLimitReachedEvent
  | ImportCompletedEvent
  | ImportFailedEvent
  | WebhookDisabledEvent
  | WebhookTestEvent;
