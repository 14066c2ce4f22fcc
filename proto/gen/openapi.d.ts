export interface paths {
    "/v1/surveys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists surveys, newest first
         * @description Lists surveys, newest first. If you filter by time of change, the last changed comes first.
         *
         *     Needs the permission `surveys:read`, and `surveys:delete` where the description says so.
         */
        get: operations["listSurveys"];
        put?: never;
        /**
         * Creates a draft survey
         * @description Creates a draft survey. The draft may have errors that only block publishing; see `ValidateSurvey`.
         *
         *     Needs the permission `surveys:write`.
         */
        post: operations["createSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a survey
         * @description Returns a survey.
         *
         *     Needs the permission `surveys:read`.
         */
        get: operations["getSurvey"];
        /**
         * Replaces the definition and creates the next version
         * @description Replaces the definition and creates the next version. On an active survey, the new version is published immediately and must have no errors, unless you set `draft`. The `version` in the payload must be the latest one.
         *
         *     Needs the permission `surveys:write`.
         */
        put: operations["replaceSurvey"];
        post?: never;
        /**
         * Deletes a survey
         * @description Deletes a survey. It rejects responses, and is listed only among deleted surveys. You can restore it for 30 days, unless the operator configured another time. Then it is erased with its responses.
         *
         *     Needs the permission `surveys:delete`.
         */
        delete: operations["deleteSurvey"];
        options?: never;
        head?: never;
        /**
         * Changes settings and project by a merge patch
         * @description Changes settings and project by a merge patch.
         *
         *     Needs the permission `surveys:write`.
         */
        patch: operations["updateSurvey"];
        trace?: never;
    };
    "/v1/surveys/{survey_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores a deleted survey
         * @description Restores a deleted survey. If it was active, it is closed afterwards.
         *
         *     Needs the permission `surveys:delete`.
         */
        post: operations["restoreSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a draft survey with the definition, project and settings of another one
         * @description Creates a draft survey with the definition, project and settings of another one.
         *
         *     Needs the permission `surveys:write`.
         */
        post: operations["duplicateSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publishes a survey, with its waiting draft if there is one
         * @description Publishes a survey, with its waiting draft if there is one. It is rejected while the definition has errors.
         *
         *     Needs the permission `surveys:write`.
         */
        post: operations["publishSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Closes an active survey
         * @description Closes an active survey. It rejects responses from then on.
         *
         *     Needs the permission `surveys:write`.
         */
        post: operations["closeSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Checks the definition of a stored survey, and returns errors and warnings
         * @description Checks the definition of a stored survey, and returns errors and warnings.
         *
         *     Needs the permission `surveys:read`.
         */
        get: operations["validateSurvey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Checks a payload without storing it, and returns errors and warnings
         * @description Checks a payload without storing it, and returns errors and warnings.
         *
         *     Needs the permission `surveys:read`.
         */
        post: operations["validatePayload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the versions of a survey's definition, newest first
         * @description Lists the versions of a survey's definition, newest first.
         *
         *     Needs the permission `surveys:read`.
         */
        get: operations["listSurveyVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a version
         * @description Returns a version.
         *
         *     Needs the permission `surveys:read`.
         */
        get: operations["getSurveyVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/versions/{version}/answer-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the JSON Schema of the answers to a version
         * @description Returns the JSON Schema of the answers to a version. It describes `data` of a completed response, in draft 2020-12. JSON Schema cannot say what depends on logic: questions that logic can hide are not required. Dates, URLs and patterns are checked in full only when a response is submitted.
         *
         *     Needs the permission `surveys:read`.
         */
        get: operations["getAnswerSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the draft that waits to be published
         * @description Returns the draft that waits to be published.
         *
         *     Needs the permission `surveys:read`.
         */
        get: operations["getSurveyDraft"];
        put?: never;
        post?: never;
        /**
         * Deletes the draft that waits to be published
         * @description Deletes the draft that waits to be published.
         *
         *     Needs the permission `surveys:write`.
         */
        delete: operations["deleteSurveyDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exports the definition of a survey as a file that can be imported
         * @description Exports the definition of a survey as a file that can be imported. JSON has all of it. CSV has six columns; the header `Export-Omitted` lists the content left out.
         *
         *     Needs the permission `surveys:export`.
         */
        get: operations["exportSurvey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists projects, newest first
         * @description Lists projects, newest first.
         *
         *     Needs the permission `projects:read`.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Creates a project
         * @description Creates a project.
         *
         *     Needs the permission `projects:write`.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a project
         * @description Returns a project.
         *
         *     Needs the permission `projects:read`.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Deletes an empty project
         * @description Deletes an empty project. It is rejected while the project has surveys, also deleted ones that can be restored.
         *
         *     Needs the permission `projects:write`.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Changes a project by a merge patch
         * @description Changes a project by a merge patch.
         *
         *     Needs the permission `projects:write`.
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/v1/surveys/{survey_id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the links of a survey, newest first
         * @description Lists the links of a survey, newest first.
         *
         *     Needs the permission `links:read`.
         */
        get: operations["listLinks"];
        put?: never;
        /**
         * Creates a link to a survey
         * @description Creates a link to a survey. The reply is the only one with the tokens of a single-use link.
         *
         *     Needs the permission `links:write`.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{link_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a link
         * @description Returns a link.
         *
         *     Needs the permission `links:read`.
         */
        get: operations["getLink"];
        put?: never;
        post?: never;
        /**
         * Deletes a link
         * @description Deletes a link. A slug that you chose stays reserved for your tenant for 90 days.
         *
         *     Needs the permission `links:write`.
         */
        delete: operations["deleteLink"];
        options?: never;
        head?: never;
        /**
         * Changes a link by a merge patch
         * @description Changes a link by a merge patch. After a change of the slug, the former one opens the link for 90 days, unless you give it to another link.
         *
         *     Needs the permission `links:write`.
         */
        patch: operations["updateLink"];
        trace?: never;
    };
    "/v1/links/{link_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates more tokens for a single-use link
         * @description Creates more tokens for a single-use link. The reply is the only one with them. With `recipients`, it can be 503 while no new metadata can be stored; then no token was created.
         *
         *     Needs the permission `links:write`.
         */
        post: operations["createLinkTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/surveys/{survey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an active survey for display
         * @description Returns an active survey for display.
         */
        get: operations["getPublicSurvey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/links/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the survey of a link for display
         * @description Returns the survey of a link for display. If the link has a password, send it as `Link-Password`; the reply has a `Link-Token` that replaces it for a day. For a single-use link, send one of its tokens as `Link-Token`. Always use the latest `Link-Token` that you got. If a response in progress was begun with the token, the reply has it, with its answers and a resume token, and shows the version that it answers. After five wrong passwords, a client gets 429 with `Retry-After`; other clients are not affected.
         */
        get: operations["getPublicLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/surveys/{survey_id}/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submits a response
         * @description Submits a response. The answers are checked against the survey, and stored encrypted; webhooks get an event. If you repeat the request with the same `Idempotency-Key`, you get the first reply again.
         */
        post: operations["submitPublicResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/links/{slug}/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submits a response through a link
         * @description Submits a response through a link. Send the headers of `GetPublicLink`. A token of a single-use link has at most one response in progress: further requests with the token get 409 with its `response_id`. A completed or disqualified response uses up the token. A response in progress that is deleted or abandoned frees it.
         */
        post: operations["submitLinkResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/surveys/{survey_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uploads a file for an answer
         * @description Uploads a file for an answer. The body is the file, at most 100 MiB. Its size and type must be allowed by the question, of the type `file_upload`; the type is detected from the bytes. Then submit a response that names the `file_id`. Files that no answer names are deleted after a day.
         */
        post: operations["uploadPublicFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/links/{slug}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uploads a file for an answer through a link
         * @description Uploads a file for an answer through a link. Send the headers of `GetPublicLink`; see also `UploadPublicFile`.
         */
        post: operations["uploadLinkFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/responses/{response_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a response in progress
         * @description Returns a response in progress. Send its token as `Resume-Token`. A finished response that came through a link has no answers: others may have opened the link, too.
         */
        get: operations["getPublicResponse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Saves or completes a response in progress by a merge patch of its answers and metadata
         * @description Saves or completes a response in progress by a merge patch of its answers and metadata. Send its token as `Resume-Token`. The update is rejected if the survey, or the link through which the response was started, is closed.
         */
        patch: operations["updatePublicResponse"];
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the responses of a survey by time of creation, or a random sample of them
         * @description Lists the responses of a survey by time of creation, or a random sample of them.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["listResponses"];
        put?: never;
        /**
         * Submits a response on behalf of a respondent
         * @description Submits a response on behalf of a respondent. If you repeat the request with the same `Idempotency-Key`, you get the first reply again.
         *
         *     Needs the permission `responses:write`.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lists the responses of a survey by time of creation, or a random sample of them, with parameters in the body
         * @description Lists the responses of a survey by time of creation, or a random sample of them. This is the same as `listResponses`, for parameters that are too long for a URL.
         *
         *     Needs the permission `responses:read`.
         */
        post: operations["listResponsesByQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists changes of the responses to a survey, oldest first, to keep a copy of them
         * @description Lists changes of the responses to a survey, oldest first, to keep a copy of them. Without a cursor, it starts with all responses. Each response appears with its latest state, or as deleted. Apply the changes in the given order, then ask again with `next_cursor`: you get every change at least once. With `wait`, the reply comes when there is a change. It takes no conditions: it could not report a response that no longer matches them.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["listResponseChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the responses of a survey exactly
         * @description Counts the responses of a survey exactly. It counts all states, unless you filter by one. If counting takes long, you get 504 with its progress: it goes on, and the repeated request gets the count.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["countResponses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/count/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Counts the responses of a survey exactly, with parameters in the body
         * @description Counts the responses of a survey exactly. It counts all states, unless you filter by one. If counting takes long, you get 504 with its progress: it goes on, and the repeated request gets the count. This is the same as `countResponses`, for parameters that are too long for a URL.
         *
         *     Needs the permission `responses:read`.
         */
        post: operations["countResponsesByQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/response-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the responses to up to 100 surveys, for lists of surveys
         * @description Counts the responses to up to 100 surveys, for lists of surveys. Surveys that you do not have are left out. Counts of more than 5,000 responses are reused for up to 20 times as long as counting took: those that took 3 s for a minute. If counting fails or takes long, you get older counts: see `counted_at`. A survey without older counts has none: ask again some seconds later.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["listResponseCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/counts-by-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the responses to a survey that came through each of its links, most used links first
         * @description Counts the responses to a survey that came through each of its links, most used links first. At most 1,000 links are listed. The counts are as old as those of `GET /v1/response-counts`.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["listLinkResponseCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{response_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a response
         * @description Returns a response.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        /**
         * Deletes a response and its answers immediately
         * @description Deletes a response and its answers immediately. If the request that created it is repeated with its `Idempotency-Key`, it gets 410.
         *
         *     Needs the permission `responses:delete`.
         */
        delete: operations["deleteResponse"];
        options?: never;
        head?: never;
        /**
         * Corrects a response by a merge patch of its answers and metadata
         * @description Corrects a response by a merge patch of its answers and metadata. The answers must be valid for the version that they belong to. A finished response becomes completed or disqualified according to the new answers. It may lack answers to required questions only if it lacked them before, such as an imported response.
         *
         *     Needs the permission `responses:write`.
         */
        patch: operations["updateResponse"];
        trace?: never;
    };
    "/v1/responses/{response_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the corrections of a response by users, newest first
         * @description Lists the corrections of a response by users, newest first. It names the changed questions, not their answers. The last 50 corrections are kept, until the response is deleted.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["listResponseHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{response_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the files that the answers of a response name, in the order of the answers
         * @description Lists the files that the answers of a response name, in the order of the answers.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["listResponseFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/deletions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plans to delete the responses that match conditions and filters: counts them, and returns some of their ids
         * @description Plans to delete the responses that match conditions and filters: counts them, and returns some of their ids. It deletes nothing: `POST …/deletions/{plan_id}` does. It plans for all states, unless you filter by one. If planning takes long, you get 504: it goes on, and the repeated request gets the plan. A tenant has at most three open plans: a new one replaces the oldest that is not in use. You also need the permission `responses:read`.
         *
         *     Needs the permission `responses:delete`, and `responses:read` where the description says so.
         */
        post: operations["planResponseDeletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/deletions/{plan_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deletes the planned responses that have not changed since they were planned
         * @description Deletes the planned responses that have not changed since they were planned. Repeat the request until `complete` is true: each one deletes for some seconds. It is safe to repeat, also after a lost reply. You also need the permission `responses:read`.
         *
         *     Needs the permission `responses:delete`, and `responses:read` where the description says so.
         */
        post: operations["deletePlannedResponses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exports the responses of a survey as a file, oldest first
         * @description Exports the responses of a survey as a file, oldest first. If the connection closes before the end of the reply, the file is incomplete.
         *
         *     Needs the permission `responses:export`.
         */
        get: operations["exportResponses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/export/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exports the responses of a survey as a file, oldest first, with parameters in the body
         * @description Exports the responses of a survey as a file, oldest first. If the connection closes before the end of the reply, the file is incomplete. This is the same as `exportResponses`, for parameters that are too long for a URL.
         *
         *     Needs the permission `responses:export`.
         */
        post: operations["exportResponsesByQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/codebook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the codebook of an export of all responses: an entry for each column
         * @description Returns the codebook of an export of all responses: an entry for each column. A column whose cells contain options has an entry for each option instead. Conditions of the export add an entry.
         *
         *     Needs the permission `responses:export`.
         */
        get: operations["exportCodebook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/codebook/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns the codebook of an export of all responses: an entry for each column, with parameters in the body
         * @description Returns the codebook of an export of all responses: an entry for each column. A column whose cells contain options has an entry for each option instead. Conditions of the export add an entry. This is the same as `exportCodebook`, for parameters that are too long for a URL.
         *
         *     Needs the permission `responses:export`.
         */
        post: operations["exportCodebookByQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Downloads a file that a stored response names
         * @description Downloads a file that a stored response names. It is sent as an attachment, with the media type detected from its bytes.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Summarises the completed responses of a survey, or those that you select: responses over time, answers to each question, and drop-off
         * @description Summarises the completed responses of a survey, or those that you select: responses over time, answers to each question, and drop-off. For more than 5,000 responses, the result may be as old as the time it took to compute. The first summary with other filters reads all matching responses. If it takes long, you get 504 with its progress: it goes on, and the repeated request gets the summary. Summaries with `since` and `until` alone are faster: they reuse the counts of whole days.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["getSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/summary/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Summarises the completed responses of a survey, or those that you select: responses over time, answers to each question, and drop-off, with parameters in the body
         * @description Summarises the completed responses of a survey, or those that you select: responses over time, answers to each question, and drop-off. For more than 5,000 responses, the result may be as old as the time it took to compute. The first summary with other filters reads all matching responses. If it takes long, you get 504 with its progress: it goes on, and the repeated request gets the summary. Summaries with `since` and `until` alone are faster: they reuse the counts of whole days. This is the same as `getSummary`, for parameters that are too long for a URL.
         *
         *     Needs the permission `responses:read`.
         */
        post: operations["getSummaryByQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/questions/{question_id}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the answers to a question, such as texts and files, by the time of creation of their responses
         * @description Lists the answers to a question, such as texts and files, by the time of creation of their responses. A page can have fewer answers than `limit`, or none, although there are more pages: it reads at most 10,000 responses. If few responses answer the question, set a large `limit`, and fewer pages are needed.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["listAnswers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/questions/{question_id}/answers/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lists the answers to a question, such as texts and files, by the time of creation of their responses, with parameters in the body
         * @description Lists the answers to a question, such as texts and files, by the time of creation of their responses. A page can have fewer answers than `limit`, or none, although there are more pages: it reads at most 10,000 responses. If few responses answer the question, set a large `limit`, and fewer pages are needed. This is the same as `listAnswers`, for parameters that are too long for a URL.
         *
         *     Needs the permission `responses:read`.
         */
        post: operations["listAnswersByQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a survey from a file, with the responses in it
         * @description Creates a survey from a file, with the responses in it. A survey with responses is closed, others are drafts. The body is JSON that contains the file, or the file itself with all other members in the query. Files up to 1 MiB and 1,000 responses are imported within the call. Larger ones, and any with `Prefer: respond-async`, become a job: you get 202 with the import and its `Location`. With `Prefer: wait`, you get 200 if the job ends within that many seconds, at most 25. A dry run returns 200 and a survey without an id.
         *
         *     Needs the permission `surveys:import`, and `responses:import` where the description says so.
         */
        post: operations["importSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds responses from a file to a survey
         * @description Adds responses from a file to a survey. Each is validated against the latest version of the survey; valid ones are stored, the others are reported. Exports of responses can be imported. Id, `external_id`, times of start and completion, language and metadata are kept. The survey decides whether a finished response is completed or disqualified. Unfinished ones stay unfinished, unless `partial_responses` says otherwise.
         *
         *     Needs the permission `responses:import`.
         */
        post: operations["importResponses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/import/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tells how an import of a file would make a survey: source, format, and the question of each column of a table of answers
         * @description Tells how an import of a file would make a survey: source, format, and the question of each column of a table of answers. Stores nothing, and returns no values of cells. Send the first megabyte of the file, at most 1 MiB, with the parameters of the import. Source and format are guessed if you leave them out. A body of at least 1,000,000 bytes counts as the beginning of a file. Workbooks must be whole.
         *
         *     Needs the permission `surveys:import`.
         */
        post: operations["planSurveyImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/surveys/{survey_id}/responses/import/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tells how an import of responses would read a file: source, format, separator, encoding, and for each column of a table its target, what its cells look like, and problems
         * @description Tells how an import of responses would read a file: source, format, separator, encoding, and for each column of a table its target, what its cells look like, and problems. Stores nothing, and returns no values of cells. Send the first megabyte of the file, at most 1 MiB, with the parameters of the import. Source and format are guessed if you leave them out. A body of at least 1,000,000 bytes counts as the beginning of a file. Workbooks must be whole.
         *
         *     Needs the permission `responses:import`.
         */
        post: operations["planResponseImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists imports without their warnings, errors and omissions, newest first
         * @description Lists imports without their warnings, errors and omissions, newest first. Finished imports are kept for 90 days.
         *
         *     Needs the permission `imports:read`.
         */
        get: operations["listImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{import_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an import with its progress
         * @description Returns an import with its progress.
         *
         *     Needs the permission `imports:read`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{import_id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns all rejected responses of an import as NDJSON
         * @description Returns all rejected responses of an import as NDJSON. Each line is an `ImportError`: `{index, id, code, detail, row, column}`. The first 100,000 are kept.
         *
         *     Needs the permission `imports:read`.
         */
        get: operations["listImportErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{import_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels a running import after its current batch
         * @description Cancels a running import after its current batch. Stored responses stay. A finished import does not change.
         *
         *     Needs the permission `imports:write`.
         */
        post: operations["cancelImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists webhooks, newest first
         * @description Lists webhooks, newest first.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Creates a webhook
         * @description Creates a webhook. The reply is the only one with the secret. With `include_answers`, you need the permission to read responses. A tenant can have 100 webhooks.
         *
         *     Needs the permission `webhooks:write`, and `responses:read` where the description says so.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a webhook
         * @description Returns a webhook.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Deletes a webhook
         * @description Deletes a webhook. No attempt begins afterwards.
         *
         *     Needs the permission `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Changes a webhook by a merge patch
         * @description Changes a webhook by a merge patch. If the platform disabled it, `"active": true` enables it again, and you can replay the deliveries that it missed. If the webhook includes answers, or did so before, you need the permission to read responses to change `url` or `headers` or to enable it. While it includes answers, this also applies to changes of the events that it gets.
         *
         *     Needs the permission `webhooks:write`, and `responses:read` where the description says so.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the health of a webhook: its circuit breaker, success rate and latency, and the deliveries that wait
         * @description Returns the health of a webhook: its circuit breaker, success rate and latency, and the deliveries that wait. The result can be five seconds old.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getWebhookHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotates the secret of a webhook
         * @description Rotates the secret of a webhook. The reply is the only one with the new secret. Until the overlap ends, the old secret signs too. If you repeat the request with the same `Idempotency-Key`, you get the first reply again.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a test event to a webhook, and returns the result
         * @description Sends a test event to a webhook, and returns the result. It waits for the receiver as long as any attempt does: 30 seconds, then the attempt has the error `timeout`. This works for a disabled webhook too. The event `webhook.test` is tried once, and kept as a delivery. More than ten tests of a webhook per minute get 429.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that sends deliveries of a webhook again
         * @description Starts a job that sends deliveries of a webhook again. New deliveries go first. Each delivery keeps its id and bytes, and gets all of its attempts again. If you repeat the request with the same `Idempotency-Key`, you get the first reply again.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the replays of a webhook, newest first
         * @description Lists the replays of a webhook, newest first.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["listReplays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-replays/{replay_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a replay with its progress
         * @description Returns a replay with its progress.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-replays/{replay_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels a running replay
         * @description Cancels a running replay. Deliveries that it has scheduled are sent. A finished replay is 409.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["cancelReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the deliveries of a webhook, newest first
         * @description Lists the deliveries of a webhook, newest first.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a delivery with its attempts
         * @description Returns a delivery with its attempts.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a delivery again, with the same id, the same bytes and all of its attempts
         * @description Sends a delivery again, with the same id, the same bytes and all of its attempts. If it waits for its next attempt, that one is made immediately. If it is being sent, you get 409.
         *
         *     Needs the permission `webhooks:write`.
         */
        post: operations["redeliverDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists all event types, each with the JSON Schema of its data and an example
         * @description Lists all event types, each with the JSON Schema of its data and an example.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the tenant, user, role and permissions of the token
         * @description Returns the tenant, user, role and permissions of the token.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns your tenant
         * @description Returns your tenant.
         *
         *     Needs the permission `tenant:read`.
         */
        get: operations["getTenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes your tenant by a merge patch
         * @description Changes your tenant by a merge patch.
         *
         *     Needs the permission `tenant:write`.
         */
        patch: operations["updateTenant"];
        trace?: never;
    };
    "/v1/tenant/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the use of your rate limits
         * @description Returns the use of your rate limits. Unlike the headers of replies, it has all of them, for all gateways together.
         *
         *     Needs the permission `tenant:read`.
         */
        get: operations["getTenantUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists users, newest first
         * @description Lists users, newest first.
         *
         *     Needs the permission `users:read`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Adds a user
         * @description Adds a user. An id or e-mail address that exists in the tenant is `ALREADY_EXISTS`.
         *
         *     Needs the permission `users:write`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a user
         * @description Returns a user.
         *
         *     Needs the permission `users:read`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Removes a user
         * @description Removes a user. Its tokens and API keys stop working; the keys stay in the list until they are deleted. Removing the last owner is `LAST_OWNER`.
         *
         *     Needs the permission `users:write`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Changes a user by a merge patch
         * @description Changes a user by a merge patch. Demoting the last owner is `LAST_OWNER`.
         *
         *     Needs the permission `users:write`.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists API keys without their secrets, newest first
         * @description Lists API keys without their secrets, newest first.
         *
         *     Needs the permission `keys:read`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Creates an API key and returns its secret once
         * @description Creates an API key and returns its secret once. A permission that you lack is `PERMISSION_DENIED`. If you send an API key, the new one must not end later than it.
         *
         *     Needs the permission `keys:write`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes an API key
         * @description Deletes an API key. A signed-in user can delete every key of the tenant. An API key can delete itself, and keys without permissions that it lacks; others are `PERMISSION_DENIED`.
         *
         *     Needs the permission `keys:write`.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists changes of records, newest first
         * @description Lists changes of records, newest first. A change appears within moments.
         *
         *     Needs the permission `audit:read`.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the health of the platform
         * @description Returns the health of the platform. A check is false if it fails in any service, or if a service does not reply within two seconds. The result is at most a second old. No token is needed.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the metrics of the platform
         * @description Returns the metrics of the platform in the text format of Prometheus, summed up over all running processes. Off by default. Operators can require a separate token, `Authorization: Bearer …`, which is not a token of the API, or serve totals without ids of tenants and surveys.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "response.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A respondent saved a new response that is still in progress
         * @description A respondent saved a new response that is still in progress. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onResponseStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "response.submitted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A response was completed, or a completed response was imported
         * @description A response was completed, or a completed response was imported. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onResponseSubmitted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "response.disqualified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A respondent was disqualified, or such a response was imported
         * @description A respondent was disqualified, or such a response was imported. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onResponseDisqualified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "response.abandoned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A response in progress was not saved for too long
         * @description A response in progress was not saved for too long. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onResponseAbandoned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "response.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user corrected a response
         * @description A user corrected a response. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onResponseUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "response.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user deleted a response, or its retention ended
         * @description A user deleted a response, or its retention ended. `status` is its last status. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onResponseDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "survey.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A survey was created
         * @description A survey was created. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onSurveyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "survey.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A survey was changed or restored
         * @description A survey was changed or restored. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onSurveyUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "survey.published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A survey, or a new version of it, was published and accepts responses
         * @description A survey, or a new version of it, was published and accepts responses. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onSurveyPublished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "survey.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A survey was closed and accepts no more responses
         * @description A survey was closed and accepts no more responses. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onSurveyClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "survey.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A survey was deleted
         * @description A survey was deleted. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onSurveyDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "survey.limit_reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A submitted, imported or corrected response took the last seat of a survey with a response limit
         * @description A submitted, imported or corrected response took the last seat of a survey with a response limit. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onSurveyLimitReached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An import read its file to the end, and not all of its responses were rejected
         * @description An import read its file to the end, and not all of its responses were rejected. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onImportCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An import ended without storing data, was cancelled, or its file was incomplete
         * @description An import ended without storing data, was cancelled, or its file was incomplete. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onImportFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The platform disabled a webhook
         * @description The platform disabled a webhook. The other webhooks of the tenant get this event. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user tests a webhook
         * @description A user tests a webhook. Only this webhook gets the event, whatever its event types are. A test changes no data. Verify the signature, store the event, and reply within 30 seconds.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description An answer to a question. */
        Answer: {
            /** @description Id of the response. */
            response_id: string;
            /**
             * Format: date-time
             * @description Time of creation of the response.
             */
            created_at: string;
            /** @description State of the response. */
            status: components["schemas"]["ResponseStatus"];
            /**
             * Format: int32
             * @description Version of the definition that the answer belongs to.
             */
            survey_version: number;
            /** @description The answer, as in `data` of the response. */
            answer: unknown;
        };
        /** @description A page of answers. */
        AnswerPage: {
            /** @description The answers. */
            answers: components["schemas"]["Answer"][];
            /** @description Cursor of the next page; empty on the last one. */
            next_cursor: string;
            /** @description Number of responses that were read for the page. With conditions, it can exceed the number on the page. */
            scanned: number;
            /** @description False if the search for the page ended at a limit of responses or time: the page may be short or empty, and `next_cursor` goes on. */
            complete: boolean;
            /** @description Number of read responses whose version lacks a question of the conditions. It counts as not answered there. Absent without conditions. */
            lacking_question?: number;
        };
        /** @description An API key. */
        ApiKey: {
            /** @description Id of the key. */
            id: string;
            /** @description The tenant. */
            tenant_id: string;
            /** @description Name for people. */
            name: string;
            /** @description First characters of the secret, to distinguish keys. */
            prefix: string;
            /** @description Permissions of the key, sorted. They apply while its user has them too. */
            permissions: string[];
            /** @description The user who created the key, and for whom it acts. */
            created_by: string;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Expiry; absent if there is none.
             */
            expires_at?: string;
            /**
             * Format: date-time
             * @description Last use, to the minute; absent if it was never used.
             */
            last_used_at?: string;
            /** @description The secret, only in the reply to the creation. */
            secret?: string;
        };
        /** @description The request of an attempt. Its body is the `payload` of the delivery. */
        AttemptRequest: {
            /** @description URL that the request was sent to. */
            url: string;
            /** @description Headers, name → value, without those of the connection. Signatures, and values of your own headers, are shown as `********`. */
            headers: {
                [key: string]: unknown;
            };
        };
        /** @description A changed member of a record. */
        AuditChange: {
            /** @description JSON pointer (RFC 6901) into the record. */
            path: string;
            /** @description Value before the change; absent if there was none. Values above 1,000 characters of JSON are replaced by their length. */
            before?: unknown;
            /** @description Value after the change; absent if there is none. Values above 1,000 characters of JSON are replaced by their length. */
            after?: unknown;
        };
        /** @description A change of a record. */
        AuditEvent: {
            /** @description Id of the event. */
            id: string;
            /** @description Action, for example `survey.published`. */
            action: string;
            /** @description Id of the user, or name of the service, that made the change. */
            actor: string;
            /** @description Kind of record, for example `survey`. */
            resource_type: string;
            /** @description Id of the record. */
            resource_id: string;
            /** @description Changed members, at most 100; a last entry with an empty path counts the others. Secrets, passwords and answers are never included. */
            changes: components["schemas"]["AuditChange"][];
            /** @description Id of the request; empty without one. */
            request_id: string;
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
        };
        /** @description An option or column of the rows of a question. */
        ColumnLabel: {
            /** @description Id of the option or column. */
            id: string;
            /** @description Its text. */
            text?: string;
        };
        /** @description Responses by state. */
        Completion: {
            /** @description Number of all responses. */
            started: number;
            /** @description Number of completed responses. */
            completed: number;
            /** @description Number of disqualified responses. */
            disqualified: number;
            /** @description Number of responses in progress. */
            in_progress: number;
            /** @description Number of abandoned responses. */
            abandoned: number;
            /** @description Median time from the start to the completion, in seconds, accurate to 1 %. Absent if no start is known. */
            median_seconds?: number;
        };
        /** @description Selects responses. */
        CountResponsesRequest: {
            /** @description Only responses in this state. */
            status?: components["schemas"]["ResponseStatus"];
            /**
             * Format: uuid
             * @description Only responses that came through this link.
             */
            link_id?: string;
            /** @description Only responses in this language: as it is spelled here, or in the nearest language that the latest version declares (`de` for `de_AT`). */
            language?: string;
            /**
             * Format: int32
             * @description Only responses to this version of the survey.
             */
            version?: number;
            /**
             * Format: date-time
             * @description Only responses created at this time or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Only responses created before this time.
             */
            until?: string;
            /**
             * Format: date-time
             * @description Only responses changed at this time or later.
             */
            updated_since?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified at this time or later.
             */
            completed_since?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified before this time.
             */
            completed_until?: string;
            /** @description Only responses with exactly this external id. */
            external_id?: string;
            /** @description Only responses for which these conditions hold. They apply in addition to the other filters. */
            where?: components["schemas"]["ResponseConditions"];
        };
        /** @description A new API key. */
        CreateApiKeyRequest: {
            /** @description Name for people. */
            name: string;
            /** @description Permissions of the key. */
            permissions: string[];
            /**
             * Format: date-time
             * @description Expiry, in the future. Without it, the key does not expire. Required if you send an API key that expires.
             */
            expires_at?: string;
        };
        /** @description A new link. */
        CreateLinkRequest: {
            /** @description Last part of the path: 3 to 64 lower-case letters and digits, with single hyphens between them. Without it, an unguessable one is generated. */
            slug?: string;
            /** @description Whether the link is enabled (default true). */
            active?: boolean;
            /**
             * Format: date-time
             * @description Expiry, in the future.
             */
            expires_at?: string;
            /**
             * Format: int32
             * @description Maximum number of responses through the link.
             */
            max_responses?: number;
            /** @description Whether each response needs a token of the link, which it uses up. Cannot be changed later. */
            single_use?: boolean;
            /**
             * Format: int32
             * @description Number of tokens to create for a single-use link (default 1).
             */
            token_count?: number;
            /** @description Password of the link, in ASCII characters without leading or trailing space. */
            password?: string;
            /** @description Metadata of each new response through the link, at most 4 KiB of JSON: fields of the survey's `metadata_fields` that have `link` in `from`. It goes before the metadata of requests. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description The tokens to create: a number of them, or one for each recipient. */
        CreateLinkTokensRequest: {
            /**
             * Format: int32
             * @description Number of tokens (default 1). Not with `recipients`.
             */
            count?: number;
            /** @description Recipients of the tokens, in the same order. Without any, `count` decides. A request body has at most 2 MiB. */
            recipients?: components["schemas"]["LinkRecipient"][];
        };
        /** @description A new project. */
        CreateProjectRequest: {
            /** @description Name for people. */
            name: string;
            /** @description Description. */
            description?: string;
        };
        /** @description Answers of a respondent. */
        CreateResponseRequest: {
            /**
             * @description `completed` (default).
             * @enum {string}
             */
            status?: "completed";
            /** @description The answers: question id → value. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Start of the response. Up to five minutes in the future counts as now; later times are rejected.
             */
            started_at?: string;
            /**
             * Format: int32
             * @description Version of the definition that the answers belong to; it must have been published (default: the latest).
             */
            survey_version?: number;
            /** @description Your own data for the response, at most 16 KiB of JSON. It can set the fields that the survey takes from `api`. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Reject answers to questions that logic hides, instead of dropping them. */
            strict?: boolean;
            /** @description Language of the response: finds the nearest one that the survey declares. */
            language?: string;
            /** @description Your own id for the response, such as the number of an order. Several responses can have the same one. The filter `external_id` finds them. */
            external_id?: string;
        };
        /** @description A new survey. The body can have the member `$schema` for editors, a string that is not kept. */
        CreateSurveyRequest: {
            /** @description Version of the format of the definition, such as `1.0`. */
            schema_version: string;
            /**
             * Format: int32
             * @description First version number, 1 or more.
             */
            version: number;
            /** @description The definition: `title`, `supported_languages`, `pages`; optionally `description`, `logic`, `sections`, `welcome_screen`, `thank_you_screen`. Unknown members are errors (`UNKNOWN_MEMBER`). Put your own content into `metadata`, which the survey and all of its parts can have. Respondents can read it. */
            survey: components["schemas"]["SurveyDefinition"];
            /**
             * Format: uuid
             * @description The project.
             */
            project_id?: string;
            /** @description Access, opening times and limits. */
            settings?: components["schemas"]["SurveySettings"];
        };
        /** @description A new user. */
        CreateUserRequest: {
            /** @description The `sub` of the user's tokens, in visible ASCII characters. Without it, a UUID is generated. */
            id?: string;
            /**
             * Format: email
             * @description E-mail address, unique in the tenant.
             */
            email: string;
            /** @description Role in the tenant. */
            role: components["schemas"]["UserRole"];
            /** @description Permissions in addition to those of the role. */
            permissions?: string[];
        };
        /** @description A new webhook. */
        CreateWebhookRequest: {
            /** @description URL that events are sent to: `https`, reachable from the internet. */
            url: string;
            /** @description Event types to subscribe to: names, `survey.*` for a family, or `*`. */
            event_types: string[];
            /** @description Whether the webhook is enabled (default true). */
            active?: boolean;
            /** @description Description for people. */
            description?: string;
            /** @description Your own secret for signatures, 24 to 256 characters. Without it, a random one is generated. */
            secret?: string;
            /** @description Headers to add to each request, name → value, such as a token for your receiver. At most 20; names of letters, digits and hyphens, values of printable ASCII except `********`. Headers of the connection and of the platform are rejected. */
            headers?: {
                [key: string]: unknown;
            };
            /** @description Send only events of these surveys; empty for all. Unknown surveys are errors (`UNKNOWN_SURVEY`). */
            survey_ids?: string[];
            /** @description Whether `response.submitted` and `response.updated` include the answers (default false). */
            include_answers?: boolean;
        };
        /** @description A question or row by groups. */
        Crosstab: {
            /** @description The answers of each group, in the order of `grouping.groups`. */
            groups: components["schemas"]["GroupAnswers"][];
            /** @description Test whether options and groups are independent. Absent if it is not possible: see `no_test`. */
            test?: components["schemas"]["IndependenceTest"];
            /** @description Reason why there is no test. `multiple_choice`: a response can choose several options, or be in several groups; `same_question`: the groups are those of this question; `too_few_cells`: fewer than two options or groups have answers; `low_expected_count`: an expected count is under 5; `hidden_cells`: `min_cell` hides counts that the test would reveal. Questions without options have neither test nor reason. */
            no_test?: components["schemas"]["NoTestReason"];
        };
        /**
         * @description A day of the Gregorian calendar.
         * @example {
         *       "type": "date",
         *       "id": "visit",
         *       "title": "When were you here?",
         *       "min": "2026-01-01"
         *     }
         */
        DateQuestion: {
            /**
             * @description The question type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "date";
            /** @description The text of the question. */
            title: components["schemas"]["TranslatableText"];
            /** @description 1 to 128 of the characters `A-Z a-z 0-9 _ . -`, unique in the survey. Generated when missing. Answers, logic and exports use it. */
            id?: string;
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Whether an answer is required. A question hidden by logic is never required. Default: `false`. */
            required?: boolean;
            /**
             * Format: date
             * @description First day allowed, as `YYYY-MM-DD`.
             */
            min?: string;
            /**
             * Format: date
             * @description Last day allowed, as `YYYY-MM-DD`.
             */
            max?: string;
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description A day. */
        DayCount: {
            /** @description The day: YYYY-MM-DD. */
            day: string;
            /** @description Number of responses. */
            count: number;
        };
        /** @description An error or warning of a definition. */
        DefinitionProblem: {
            /** @description JSON pointer (RFC 6901) into the payload. */
            path: string;
            /** @description Stable code, for example `UNKNOWN_SOURCE`. */
            code: string;
            /** @description Explanation for people. */
            detail: string;
            /** @description The question; absent if the problem is not about one. */
            question_id?: string;
        };
        /** @description Errors and warnings of a definition. */
        DefinitionReport: {
            /** @description Whether there are no errors, so that the survey can be published. */
            valid: boolean;
            /** @description Errors, which block publishing. */
            errors: components["schemas"]["DefinitionProblem"][];
            /** @description Warnings, which block nothing. */
            warnings: components["schemas"]["DefinitionProblem"][];
        };
        /** @description Confirms a plan. */
        DeletePlannedResponsesRequest: {
            /**
             * Format: int32
             * @description `count` of the plan.
             */
            expected_count: number;
        };
        /** @description An event for a webhook. */
        Delivery: {
            /** @description Id of the delivery: `X-Service-Delivery` and `webhook-id` of every attempt. */
            id: string;
            /** @description The webhook. */
            webhook_id: string;
            /** @description Type of the event. */
            event_type: string;
            /** @description The body. Answers are shown only to callers who can read responses, and are null if the response was deleted. */
            payload: {
                [key: string]: unknown;
            };
            /**
             * @description `pending` before the first attempt, then `delivered` or `failed`. A failed delivery with a `next_attempt_at` is retried.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /** @description Attempts so far. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /**
             * Format: date-time
             * @description Time of the next attempt; absent if there is none.
             */
            next_attempt_at?: string;
            /**
             * @description Reason why a failed delivery is not retried: `retries_exhausted`, `webhook_disabled` (also without an attempt, or after a reply of 410), `webhook_deleted`, or `answers_unreadable` (the answers could not be read for a day).
             * @enum {string}
             */
            failure_reason?: "retries_exhausted" | "webhook_disabled" | "webhook_deleted" | "answers_unreadable";
            /** @description Id of the event, the same for all webhooks. */
            event_id: string;
        };
        /** @description An attempt to send a delivery. */
        DeliveryAttempt: {
            /**
             * Format: int32
             * @description Number of the attempt, from 1.
             */
            number: number;
            /**
             * Format: date-time
             * @description Start time.
             */
            started_at: string;
            /**
             * Format: int32
             * @description Duration in milliseconds.
             */
            duration_ms: number;
            /**
             * Format: int32
             * @description HTTP status of the reply; absent without a reply.
             */
            status_code?: number;
            /** @description Content type of the reply; absent like `response_excerpt`. */
            content_type?: string;
            /** @description First 1000 characters of the reply. It can repeat answers, so it is absent if you cannot read the answers that were sent, and after the response of the event was deleted. */
            response_excerpt?: string;
            /** @description Error of the attempt. */
            error?: string;
            /**
             * @description Cause of the attempt: `schedule`, `redeliver`, `replay` or `test`.
             * @enum {string}
             */
            trigger: "schedule" | "redeliver" | "replay" | "test";
            /** @description The request; absent if an earlier release of the platform sent it. */
            request?: components["schemas"]["AttemptRequest"];
        };
        /** @description Number of respondents who stopped at a question. */
        DropOff: {
            /** @description The last answered question; empty if there was none. */
            question_id: string;
            /** @description Number of responses in progress or abandoned. */
            count: number;
            /** @description Number of these that are abandoned. */
            abandoned: number;
            /** @description Number of disqualified responses that ended at the question. */
            disqualified: number;
        };
        /**
         * @description A stable code of an error.
         * @enum {string}
         */
        ErrorCode: "INVALID_REQUEST" | "IDEMPOTENCY_KEY_WEAK" | "INVALID_CURSOR" | "INVALID_TOKEN" | "PERMISSION_DENIED" | "LINK_PASSWORD_WRONG" | "LINK_TOKEN_WRONG" | "LINKS_ONLY" | "ROUTE_NOT_FOUND" | "TENANT_NOT_FOUND" | "USER_NOT_FOUND" | "API_KEY_NOT_FOUND" | "PROJECT_NOT_FOUND" | "LINK_NOT_FOUND" | "VERSION_NOT_FOUND" | "DRAFT_NOT_FOUND" | "SURVEY_NOT_FOUND" | "RESPONSE_NOT_FOUND" | "DELETION_PLAN_NOT_FOUND" | "FILE_NOT_FOUND" | "WEBHOOK_NOT_FOUND" | "IMPORT_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "REPLAY_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "ALREADY_EXISTS" | "SURVEY_NOT_OPEN_YET" | "SURVEY_CLOSED" | "RESPONSE_LIMIT_REACHED" | "STATE_CONFLICT" | "RESPONSE_IN_PROGRESS" | "LAST_OWNER" | "VERSION_CONFLICT" | "SLUG_TAKEN" | "PROJECT_NOT_EMPTY" | "IDEMPOTENCY_KEY_REUSED" | "LINK_EXPIRED" | "LINK_USED_UP" | "LINK_TOKEN_USED" | "RESPONSE_DELETED" | "CURSOR_EXPIRED" | "IMPORT_FILE_GONE" | "PRECONDITION_FAILED" | "BODY_TOO_LARGE" | "MESSAGE_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_FAILED" | "INVALID_DEFINITION" | "INVALID_ANSWERS" | "METADATA_NOT_ALLOWED" | "INVALID_FILE" | "INVALID_IMPORT" | "FILE_TOO_COMPLEX" | "WEBHOOK_URL_REFUSED" | "TOO_MANY_REQUESTS" | "CANCELLED" | "INTERNAL" | "UPSTREAM_INVALID" | "UNAVAILABLE" | "OVERLOADED" | "DEADLINE_EXCEEDED";
        /** @description An event type. */
        EventType: {
            /** @description Type of the event, for example `response.submitted`. */
            name: string;
            /** @description The occasion of the event. */
            description: string;
            /** @description JSON Schema (2020-12) of the `data` of its events. */
            schema: {
                [key: string]: unknown;
            };
            /** @description Example of a body. */
            example: components["schemas"]["WebhookEvent"];
        };
        /** @description Selects the codebook, and the format. */
        ExportCodebookRequest: {
            /**
             * @description `csv` (default) or `json` (an array).
             * @enum {string}
             */
            format?: "csv" | "json";
            /** @description Language of titles and texts, a language tag (default: the first language of the survey). A text without a translation is in the first language that it has. */
            display_language?: string;
            /** @description Put an apostrophe before signs in CSV with which a spreadsheet could begin a formula (default true). */
            mask_formulas?: boolean;
            /** @description The conditions of an export. The last entry, of the type `conditions`, has them in words. They select no columns. */
            where?: components["schemas"]["ResponseConditions"];
        };
        /** @description Selects responses, and the format. */
        ExportResponsesRequest: {
            /** @description Only responses in this state. */
            status?: components["schemas"]["ResponseStatus"];
            /**
             * Format: uuid
             * @description Only responses that came through this link.
             */
            link_id?: string;
            /** @description Only responses in this language: as it is spelled here, or in the nearest language that the latest version declares (`de` for `de_AT`). */
            language?: string;
            /**
             * Format: int32
             * @description Only responses to this version of the survey.
             */
            version?: number;
            /**
             * Format: date-time
             * @description Only responses created at this time or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Only responses created before this time.
             */
            until?: string;
            /**
             * Format: date-time
             * @description Only responses changed at this time or later.
             */
            updated_since?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified at this time or later.
             */
            completed_since?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified before this time.
             */
            completed_until?: string;
            /**
             * @description `csv` (default, a column for each question, row and option), `xlsx` (the same as a workbook, with the codebook as its second sheet), `ndjson` (one response a line) or `json` (an array).
             * @enum {string}
             */
            format?: "csv" | "xlsx" | "ndjson" | "json";
            /**
             * @description Names of questions and options in CSV and XLSX: `ids` (default, can be imported again) or `texts`.
             * @enum {string}
             */
            labels?: "ids" | "texts";
            /** @description Language of `texts` and of the codebook, a language tag (default: the first language of the survey). A text without a translation is in the first language that it has. */
            display_language?: string;
            /** @description Put an apostrophe before signs in CSV with which a spreadsheet could begin a formula (default true). XLSX files have no such apostrophes. If you set it to false, import the file with `unmask=false`. */
            mask_formulas?: boolean;
            /** @description Text for CSV and XLSX cells of questions that the respondent never saw, such as `-99`. Logic hid them, or the version does not have them. By default, they are empty like those without an answer. Such a file cannot be imported again. */
            not_shown?: string;
            /** @description Only responses with exactly this external id. */
            external_id?: string;
            /** @description Only responses for which these conditions hold. They apply in addition to the other filters. */
            where?: components["schemas"]["ResponseConditions"];
        };
        /** @description An invalid field. */
        FieldProblem: {
            /** @description Where the problem is: a JSON pointer (RFC 6901) into the body, `?name` for a parameter of the query, `?name/member` inside a parameter in JSON, `{name}` for one of the path. */
            path: string;
            /**
             * @description A stable code. Definitions, answers and some operations have codes of their own. The general codes are:
             *
             *     `WRONG_TYPE`: The value does not have the expected type. Send the type that `/docs` shows.
             *
             *     `UNKNOWN_FIELD`: The body must not have this member: it is unknown, or the path sets it. Remove the member, or correct its name.
             *
             *     `UNKNOWN_PARAMETER`: There is no such query parameter. Remove the parameter, or correct its name.
             *
             *     `REPEATED`: A query parameter is there more than once. Send it once.
             *
             *     `DUPLICATE_MEMBER`: An object has the member twice. Send it once.
             *
             *     `FORBIDDEN_NAME`: A member is named `__proto__`. Use another name.
             *
             *     `NUMBER_OUT_OF_RANGE`: The number is beyond ±(2^53 - 1). Send a smaller number, or a text.
             *
             *     `TOO_DEEP`: The JSON has more than 64 levels. Nest less.
             *
             *     `REQUIRED`: The member is missing. Add it.
             *
             *     `TOO_SHORT`: The text has too few characters. Send a longer text.
             *
             *     `TOO_LONG`: The text has too many characters. Shorten the text.
             *
             *     `TOO_FEW`: The list or object has too few items. Add items.
             *
             *     `TOO_MANY`: The list or object has too many items. Remove items, or split the request.
             *
             *     `DUPLICATE_ITEM`: The list has an item twice. Send it once.
             *
             *     `OUT_OF_RANGE`: The number is too small or too large. Send a number within the limits in `/docs`.
             *
             *     `UNKNOWN_VALUE`: The value is not one of the allowed values. Choose a value that `/docs` lists.
             *
             *     `BAD_FORMAT`: The text does not have the required format, such as a UUID or an email address. Send the format that `/docs` shows.
             *
             *     `INVALID`: The value breaks another rule. Do what `detail` says.
             */
            code: string;
            /** @description A description of the error, for people. */
            detail: string;
            /** @description The question of the survey definition with the error. */
            question_id?: string;
        };
        /**
         * @description Files of the respondent.
         * @example {
         *       "type": "file_upload",
         *       "id": "receipt",
         *       "title": "Your receipt",
         *       "accept": [
         *         "image/*",
         *         ".pdf"
         *       ],
         *       "max_files": 2
         *     }
         */
        FileUploadQuestion: {
            /**
             * @description The question type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "file_upload";
            /** @description The text of the question. */
            title: components["schemas"]["TranslatableText"];
            /** @description 1 to 128 of the characters `A-Z a-z 0-9 _ . -`, unique in the survey. Generated when missing. Answers, logic and exports use it. */
            id?: string;
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Whether an answer is required. A question hidden by logic is never required. Default: `false`. */
            required?: boolean;
            /** @description Maximum number of files. Default: `100`. */
            max_files?: number;
            /** @description Size of one file. Default and maximum: 100 MiB. */
            max_bytes?: number;
            /** @description Media types and file extensions, one of which a file must have: `["image/*", ".pdf"]` or `"image/*,.pdf"`. */
            accept?: string | string[];
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description Selects the summary. */
        GetSummaryRequest: {
            /** @description Time zone of days and intervals, a name of the IANA database (default UTC). */
            tz?: string;
            /**
             * @description Adds `timeline` with intervals of this length. Weeks begin on Monday.
             * @enum {string}
             */
            interval?: "hour" | "day" | "week";
            /** @description Language of titles and texts (default: the first one of the survey). A missing translation is replaced by that of the next language of the survey. */
            display_language?: string;
            /** @description Only responses in this state. Without it, answers are counted for completed responses only. */
            status?: components["schemas"]["ResponseStatus"];
            /**
             * Format: uuid
             * @description Only responses that came through this link.
             */
            link_id?: string;
            /** @description Only responses in this language: as it is spelled here, or in the nearest language that the latest version declares (`de` for `de_AT`). */
            language?: string;
            /**
             * Format: int32
             * @description Only responses to this version of the survey.
             */
            version?: number;
            /**
             * Format: date-time
             * @description Only responses created at this time or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Only responses created before this time.
             */
            until?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified at this time or later.
             */
            completed_since?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified before this time.
             */
            completed_until?: string;
            /**
             * Format: int32
             * @description Lowest version that the summary must know, such as the `version` in the reply to a publication. If it cannot be read within two seconds, you get 503. Without it, a version published less than two seconds ago can be missing.
             */
            at_least_version?: number;
            /** @description Only responses with exactly this external id. */
            external_id?: string;
            /** @description Only responses for which these conditions hold. They apply in addition to the other filters. */
            where?: components["schemas"]["ResponseConditions"];
            /** @description Adds `grouping`, and to questions and rows `crosstab`: the answers of each group of responses with the same link (`link`), language (`language`) or member of the metadata (`metadata.NAME`, compared as text). Not together with `by_question`. */
            by?: string;
            /** @description As `by`, for groups of responses with the same answer to this question. It is a `single_choice`, a `multiple_choice`, a `likert` without rows, or a `rating` with at most 101 values. Hidden counts as not answered. */
            by_question?: string;
            /**
             * Format: int32
             * @description Hides counts of groups from 1 to below this number, and others that reveal them together with sums. It makes a display discreet. It does not protect: requests with other filters can still reveal the counts, and members outside of `grouping` and `crosstab` hide nothing, such as the `options` of the question of `by_question`, which are the sizes of its groups. If many counts are small, all cells of a table can be hidden.
             */
            min_cell?: number;
        };
        /** @description Answers of one group of responses to a question or row. */
        GroupAnswers: {
            /** @description Number of responses with an answer. Absent if `min_cell` hides it. */
            answered?: number;
            /** @description Share of the responses with an answer that are in the group, 0 to 1. Absent if `answered` is, and if there are none. */
            answered_share?: number;
            /** @description Number of responses that were shown the question and have no answer. Absent for rows, and with `min_cell`. */
            unanswered?: number;
            /** @description Number of responses that were not shown the question. Absent for rows, and with `min_cell`. */
            not_shown?: number;
            /** @description Numbers of answers: for each of `options`, `histogram` or `periods` of the question or row, in the same order. Empty if there are too many different numbers, or more than 100 different days. */
            cells: components["schemas"]["GroupCell"][];
            /** @description Mean of the answers, for questions with numbers. Absent without answers, and if `min_cell` hides a count of the group. */
            mean?: number;
            /** @description Confidence interval of the mean. Absent for fewer than two answers, and if `mean` is. */
            mean_interval?: components["schemas"]["MeanInterval"];
            /** @description Median of the answers, as for the question. Absent if `mean` is. */
            median?: number;
            /** @description Net promoter score, for ratings from 0 to 10. Absent if `mean` is. */
            nps?: components["schemas"]["NetPromoterScore"];
            /** @description Number of files in the answers, for questions with files. Absent if `min_cell` hides it. */
            files?: number;
        };
        /** @description A cell of a table of options by groups. Its members are absent if `min_cell` hides them. */
        GroupCell: {
            /** @description Number of responses of the group with this option, number or period. */
            count?: number;
            /** @description Share of all responses with this option that are in the group, 0 to 1: the percentage of the row. Absent if there are none. */
            row_share?: number;
            /** @description Share of the responses of the group with an answer that have this option, 0 to 1: the percentage of the column. Absent if there are none. */
            column_share?: number;
        };
        /** @description The health of the platform. */
        Health: {
            /**
             * @description Whether all checks pass.
             * @enum {string}
             */
            status: "healthy" | "unhealthy";
            /** @description Checks of the dependencies of all services. */
            checks: {
                /** @description Whether every service can reach its database. */
                database: boolean;
                /** @description Whether every service can reach the event queue. */
                queue: boolean;
            };
        };
        /** @description A bin of a histogram. It counts numbers from `from` to below `to`; if both are equal, only this number. */
        HistogramBin: {
            /** @description Start of the bin. */
            from: number;
            /** @description End of the bin. */
            to: number;
            /** @description Number of answers. */
            count: number;
        };
        /** @description The data of `import.completed`. */
        ImportCompletedData: {
            /**
             * Format: uuid
             * @description Id of the import.
             */
            id: string;
            /** @description The tool that made the file. */
            source: string;
            /** @description The format of the file. */
            format: string;
            /**
             * @description Status of the import.
             * @enum {string}
             */
            status: "completed" | "failed" | "cancelled";
            /** @description Number of responses in the file. */
            total: number;
            /** @description Number of responses that were stored. */
            imported: number;
            /** @description Number of responses that were stored without some of their values, or with some only as metadata. */
            imported_in_part: number;
            /** @description Number of responses that already existed. */
            skipped: number;
            /** @description Number of responses that the options of the import leave out. */
            left_out: number;
            /** @description Number of responses that could not be stored. */
            failed: number;
            /** @description Number of questions of the survey. */
            questions: number;
            /** @description The first 100 warnings: parts of the file that were left out or changed. */
            warnings: {
                /** @description Location in the imported file: a JSON pointer, empty for the whole file. */
                path: string;
                /** @description Code of the problem, for programs. */
                code: string;
                /** @description Description of the problem, for people. */
                detail: string;
            }[];
            /** @description The first 100 responses that could not be stored. */
            errors: {
                /** @description Index of the response in the file, from 0. */
                index: number;
                /** @description Id of the response in the file. */
                id: string;
                /** @description Row of a table, or line of NDJSON, from 1. */
                row?: number;
                /** @description Column of a table, or the question. */
                column?: string;
                /** @description Code of the problem, for programs. */
                code: string;
                /** @description Description of the problem, for people. */
                detail: string;
            }[];
            /** @description Values of the file that are not stored as answers, and values that it lacks, by column and reason, the first 100. */
            omissions: {
                /** @description Column of a table, or the question. */
                column: string;
                /** @description Code of the reason, for programs. */
                code: string;
                /** @description Description of the reason, for people. */
                detail: string;
                /**
                 * @description Whether the values are in the metadata, lost, or not in the file.
                 * @enum {string}
                 */
                action: "kept" | "dropped" | "missing";
                /** @description Number of responses. */
                count: number;
                /** @description The first positions, at most 5. */
                examples: {
                    /** @description Index of the response in the file, from 0. */
                    index: number;
                    /** @description Row of a table, or line of NDJSON, from 1. */
                    row?: number;
                }[];
            }[];
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description An import read its file to the end, and not all of its responses were rejected. */
        ImportCompletedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["ImportCompletedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "import.completed";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description A rejected response. */
        ImportError: {
            /**
             * Format: int32
             * @description Position in the file, from 0.
             */
            index: number;
            /** @description Id of the response in the file; empty without one. */
            id: string;
            /** @description Stable code. */
            code: string;
            /** @description Explanation for people. */
            detail: string;
            /**
             * Format: int32
             * @description Row of a CSV, or line of an NDJSON, from 1 and with the header; absent for other files.
             */
            row?: number;
            /** @description Column with the invalid value, or id of the question; absent if the error is not about one. */
            column?: string;
        };
        /** @description The data of `import.failed`. */
        ImportFailedData: {
            /**
             * Format: uuid
             * @description Id of the import.
             */
            id: string;
            /** @description The tool that made the file. */
            source: string;
            /** @description The format of the file. */
            format: string;
            /**
             * @description Status of the import.
             * @enum {string}
             */
            status: "completed" | "failed" | "cancelled";
            /** @description Number of responses in the file. */
            total: number;
            /** @description Number of responses that were stored. */
            imported: number;
            /** @description Number of responses that were stored without some of their values, or with some only as metadata. */
            imported_in_part: number;
            /** @description Number of responses that already existed. */
            skipped: number;
            /** @description Number of responses that the options of the import leave out. */
            left_out: number;
            /** @description Number of responses that could not be stored. */
            failed: number;
            /** @description Number of questions of the survey. */
            questions: number;
            /** @description The first 100 warnings: parts of the file that were left out or changed. */
            warnings: {
                /** @description Location in the imported file: a JSON pointer, empty for the whole file. */
                path: string;
                /** @description Code of the problem, for programs. */
                code: string;
                /** @description Description of the problem, for people. */
                detail: string;
            }[];
            /** @description The first 100 responses that could not be stored. */
            errors: {
                /** @description Index of the response in the file, from 0. */
                index: number;
                /** @description Id of the response in the file. */
                id: string;
                /** @description Row of a table, or line of NDJSON, from 1. */
                row?: number;
                /** @description Column of a table, or the question. */
                column?: string;
                /** @description Code of the problem, for programs. */
                code: string;
                /** @description Description of the problem, for people. */
                detail: string;
            }[];
            /** @description Values of the file that are not stored as answers, and values that it lacks, by column and reason, the first 100. */
            omissions: {
                /** @description Column of a table, or the question. */
                column: string;
                /** @description Code of the reason, for programs. */
                code: string;
                /** @description Description of the reason, for people. */
                detail: string;
                /**
                 * @description Whether the values are in the metadata, lost, or not in the file.
                 * @enum {string}
                 */
                action: "kept" | "dropped" | "missing";
                /** @description Number of responses. */
                count: number;
                /** @description The first positions, at most 5. */
                examples: {
                    /** @description Index of the response in the file, from 0. */
                    index: number;
                    /** @description Row of a table, or line of NDJSON, from 1. */
                    row?: number;
                }[];
            }[];
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description An import ended without storing data, was cancelled, or its file was incomplete. */
        ImportFailedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["ImportFailedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "import.failed";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description An import. */
        ImportJob: {
            /** @description UUID of the import. */
            id: string;
            /** @description UUID of the tenant. */
            tenant_id: string;
            /** @description The survey that is created, or that gets the responses. */
            survey_id: string;
            /** @description Tool that the file comes from. */
            source: string;
            /** @description Format of the file. */
            format: string;
            /**
             * @description `running`, `cancelling`, `completed`, `failed` or `cancelled`. `failed` if no response could be stored, or the file could not be read to its end.
             * @enum {string}
             */
            status: "running" | "cancelling" | "completed" | "failed" | "cancelled";
            /** @description Whether the import stores nothing. */
            dry_run: boolean;
            /** @description Progress. */
            progress: components["schemas"]["ImportProgress"];
            /**
             * Format: int32
             * @description Number of questions of the survey, as soon as it is known.
             */
            questions: number;
            /** @description Changes to the content of the file, the first 100. */
            warnings: components["schemas"]["ImportWarning"][];
            /** @description The first rejected responses, at most 100, once the import is finished. */
            errors: components["schemas"]["ImportError"][];
            /** @description User who started the import. */
            created_by: string;
            /**
             * Format: date-time
             * @description Start time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description End of the import.
             */
            finished_at?: string;
            /**
             * Format: int32
             * @description Number of responses in the file, once the import is finished.
             */
            total?: number;
            /**
             * Format: int32
             * @description Number of responses stored, once the import is finished.
             */
            imported?: number;
            /**
             * Format: int32
             * @description Number of responses that existed already, once the import is finished.
             */
            skipped?: number;
            /**
             * Format: int32
             * @description Number of responses rejected, once the import is finished.
             */
            failed?: number;
            /**
             * Format: int32
             * @description Number of stored responses with a value that is not stored as an answer, or is lost, once the import is finished.
             */
            imported_in_part?: number;
            /**
             * Format: int32
             * @description Number of responses that the options of the import leave out, and of rows that are no responses, once the import is finished.
             */
            left_out?: number;
            /** @description Values of the file that are not stored as answers, once the import is finished. */
            omissions: components["schemas"]["ImportOmission"][];
        };
        /** @description Values of a column, or answers to a question, that are not stored as answers. */
        ImportOmission: {
            /** @description Column, or id of the question. */
            column: string;
            /** @description Stable code of the reason. */
            code: string;
            /** @description Explanation for people. It never has the values. */
            detail: string;
            /**
             * @description `kept`: they are in the metadata of their responses. `dropped`: they are lost. `missing`: the file lacks an answer to a required question.
             * @enum {string}
             */
            action: "kept" | "dropped" | "missing";
            /**
             * Format: int32
             * @description Number of responses.
             */
            count: number;
            /** @description The first positions, at most 5. */
            examples: components["schemas"]["ImportPosition"][];
        };
        /** @description Options of an import. */
        ImportOptions: {
            /** @description Keep the ids of questions, options and responses (default true). A response id that is not a UUID, or that another response has, becomes the `external_id`, and a UUID is derived from it. So importing a file twice into a survey stores nothing twice. */
            preserve_ids?: boolean;
            /** @description Reject a survey whose definition has errors (default true); otherwise report them as warnings. */
            validate_logic?: boolean;
            /** @description Import the responses in the file (default true). */
            import_responses?: boolean;
            /** @description Title of the survey, if the file has none. */
            title?: string;
            /** @description Language of the survey, if the file has none (default `en`). */
            language?: string;
            /** @description Return the report without storing anything (default false). */
            dry_run?: boolean;
            /** @description Send events of the imported responses to webhooks (default true). */
            emit_events?: boolean;
            /** @description Character encoding of a table (CSV), such as `windows-1252` (default: detected; a byte order mark wins). */
            encoding?: string;
            /** @description Character between the cells of a table, such as `;`, or `tab` (default: a line such as `sep=;` in the file, or detected). No effect on workbooks. */
            separator?: string;
            /** @description Locale of dates and decimals in a table, such as `de` (default: found by column; the import asks if two readings are possible). */
            locale?: string;
            /** @description Order of dates in a table, such as `DD/MM/YYYY`. Wins over `locale`. Years with two digits need `YY`. */
            date_format?: string;
            /**
             * @description Decimal separator in a table. Wins over `locale`.
             * @enum {string}
             */
            decimal?: "" | "." | ",";
            /** @description Targets of columns of a table, by heading, or by `#3` for the third column: `{"Timestamp": "submitted_at", "How was it?": "q3", "Notes": ""}`. A target is a column of an export (`q3`, `q3[row]`), a detail of the response (`id`, `submitted_at`, `started_at`, `status`, `language`, `external_id`), or `metadata.NAME`. Empty excludes a column. In a query, the parameter is JSON. */
            columns?: {
                [key: string]: string;
            };
            /** @description Zone of times of responses that have none in the file, such as `Europe/Berlin`, a name of the IANA database (default: UTC, with a warning). */
            time_zone?: string;
            /**
             * @description Answers that do not fit their question: `keep` moves them to `invalid_answers` of the response's metadata, `blank` removes them, `reject` rejects the response (default: `reject` for the source `custom`, `keep` for others). With `keep` and `blank`, valid rows and choices of such an answer are stored, if they are a valid answer of their own. A finished response with values of which none fits as an answer is rejected with `NO_ANSWERS` in all cases.
             * @enum {string}
             */
            on_invalid_answer?: "" | "keep" | "reject" | "blank";
            /**
             * @description Unfinished responses: stored as `in_progress` (default), as `completed`, or not at all (`leave_out`).
             * @enum {string}
             */
            partial_responses?: "" | "in_progress" | "completed" | "leave_out";
            /** @description Import responses that the tool marks as previews, tests or spam (default false). */
            include_tests?: boolean;
        };
        /** @description The way in which an import would read a file. */
        ImportPlan: {
            /** @description Tool that the file comes from, as given or guessed. */
            source: string;
            /** @description Format of the file, as given or guessed. */
            format: string;
            /** @description The way in which a table is read: file of an archive, separator and encoding, or the sheet. Empty for other files. */
            dialect: string;
            /** @description Whether the file counts as the beginning of a larger one. */
            is_partial: boolean;
            /**
             * Format: int32
             * @description Rows that were looked at, without the header.
             */
            rows: number;
            /** @description Columns of a table of answers. Empty for other files. */
            columns: components["schemas"]["ImportPlanColumn"][];
            /** @description Targets that `columns` can name, besides `metadata.NAME`; at most 5,000. */
            targets: components["schemas"]["ImportPlanTarget"][];
            /** @description Reasons why the import would be rejected. */
            problems: components["schemas"]["ImportWarning"][];
            /** @description Changes to the content of the file. */
            warnings: components["schemas"]["ImportWarning"][];
            /** @description Options that would help. */
            suggestions: components["schemas"]["ImportPlanSuggestion"][];
        };
        /** @description A column of a planned import. */
        ImportPlanColumn: {
            /**
             * Format: int32
             * @description Number of the column, from 1.
             */
            column: number;
            /** @description Text in the header row. */
            heading: string;
            /** @description Target of the column, as in `columns`; for a new survey, the type of its question. Empty if it is not imported. */
            target: string;
            /** @description Question that the column answers. Empty without one. */
            question_id: string;
            /**
             * @description Origin of the target: `option` (named by `columns`), `name` (a column of an export or of the tool), `title` (the title of a question), `part` (title and row or option), `word` (a usual heading), `values` (the type of a new question). Empty if it was not found.
             * @enum {string}
             */
            found_by: "" | "option" | "name" | "title" | "part" | "word" | "values";
            /** @description Confidence of the target, from 0 to 1. */
            confidence: number;
            /** @description Number of cells by the kind of their content: `empty`, `number`, `date`, `time`, `timestamp`, `flag` (yes or no), `email`, `url` or `text`. */
            contents: {
                [key: string]: number;
            };
            /** @description Reasons why the import would be rejected. */
            problems: string[];
            /** @description A target that would fit the heading. Empty without one. */
            suggestion: string;
        };
        /** @description An option that would help an import. */
        ImportPlanSuggestion: {
            /** @description Name of the option. */
            name: string;
            /** @description Possible values. If there are several, choose one. */
            values: string[];
        };
        /** @description A target of columns. */
        ImportPlanTarget: {
            /** @description Name in `columns`. */
            name: string;
            /** @description Title of its question. Empty without one. */
            title: string;
        };
        /** @description Position of a response in the file. */
        ImportPosition: {
            /**
             * Format: int32
             * @description Position in the file, from 0.
             */
            index: number;
            /**
             * Format: int32
             * @description Row of a CSV, or line of an NDJSON, from 1 and with the header; absent for other files.
             */
            row?: number;
        };
        /** @description Progress of an import. */
        ImportProgress: {
            /** @description Bytes read. The whole file is read before anything of it is stored. */
            bytes: number;
            /** @description Size of the file in bytes. */
            total_bytes: number;
            /**
             * Format: int32
             * @description Responses processed.
             */
            rows: number;
            /**
             * Format: int32
             * @description Responses stored.
             */
            imported: number;
            /**
             * Format: int32
             * @description Responses that existed already.
             */
            skipped: number;
            /**
             * Format: int32
             * @description Responses rejected.
             */
            failed: number;
            /**
             * Format: int32
             * @description Stored responses with a value that is not stored as an answer, or is lost.
             */
            imported_in_part: number;
            /**
             * Format: int32
             * @description Responses that the options of the import leave out, and rows that are no responses.
             */
            left_out: number;
            /**
             * Format: int32
             * @description Responses read, processed or not.
             */
            read: number;
        };
        /** @description Report of an import. */
        ImportReport: {
            /** @description Id of the import. */
            id: string;
            /** @description Tool that the file comes from. */
            source: string;
            /** @description Format of the file. */
            format: string;
            /**
             * @description `completed`, `cancelled` or `failed`. `failed` if no response could be stored, or the file could not be read to its end.
             * @enum {string}
             */
            status: "completed" | "cancelled" | "failed";
            /**
             * Format: int32
             * @description Number of responses in the file: those stored, skipped, rejected and left out.
             */
            total: number;
            /**
             * Format: int32
             * @description Responses stored.
             */
            imported: number;
            /**
             * Format: int32
             * @description Responses that existed already.
             */
            skipped: number;
            /**
             * Format: int32
             * @description Responses rejected.
             */
            failed: number;
            /**
             * Format: int32
             * @description Number of questions of the survey.
             */
            questions: number;
            /** @description Changes to the content of the file. */
            warnings: components["schemas"]["ImportWarning"][];
            /** @description The first rejected responses, at most 100. */
            errors: components["schemas"]["ImportError"][];
            /**
             * Format: int32
             * @description Stored responses with a value that is not stored as an answer, or is lost. `imported` counts them too.
             */
            imported_in_part: number;
            /**
             * Format: int32
             * @description Responses that the options of the import leave out: previews, tests, spam, unfinished ones. Also rows of a table that are no responses, such as a repeated header.
             */
            left_out: number;
            /** @description Values of the file that are not stored as answers, by column and reason, the first 100. Values of rejected responses are not listed. Empty if the import was interrupted and not continued. */
            omissions: components["schemas"]["ImportOmission"][];
        };
        /** @description A file with responses. */
        ImportResponsesRequest: {
            /**
             * @description Format of the file.
             * @enum {string}
             */
            format: "json" | "csv" | "ndjson" | "xlsx" | "lsa";
            /** @description The file: an array for `json`, a string for `csv` and `ndjson` (one response a line). In JSON, a response is `{id, submitted_at, answers: [{question_id, value}]}`, or has `data` as in replies of the API. CSV has the columns of an export with ids; columns can be left out. */
            responses: unknown;
            /** @description Remove the apostrophe that exports put before formulas (default: if the CSV begins with all columns of an export). */
            unmask?: boolean;
            /**
             * @description Tool that the file comes from (default `custom`).
             * @enum {string}
             */
            source?: "" | "custom" | "typeform" | "surveymonkey" | "google_forms" | "microsoft_forms" | "qualtrics" | "limesurvey" | "formbricks" | "surveyjs" | "xlsform" | "table";
            /** @description Return the report without storing anything (default false). */
            dry_run?: boolean;
            /** @description Send events of the imported responses to webhooks (default true). */
            emit_events?: boolean;
            /** @description Character encoding of a table (CSV), such as `windows-1252` (default: detected; a byte order mark wins). */
            encoding?: string;
            /** @description Character between the cells of a table, such as `;`, or `tab` (default: a line such as `sep=;` in the file, or detected). No effect on workbooks. */
            separator?: string;
            /** @description Locale of dates and decimals in a table, such as `de` (default: found by column; the import asks if two readings are possible). */
            locale?: string;
            /** @description Order of dates in a table, such as `DD/MM/YYYY`. Wins over `locale`. Years with two digits need `YY`. */
            date_format?: string;
            /**
             * @description Decimal separator in a table. Wins over `locale`.
             * @enum {string}
             */
            decimal?: "" | "." | ",";
            /** @description Targets of columns of a table, by heading, or by `#3` for the third column: `{"Timestamp": "submitted_at", "How was it?": "q3", "Notes": ""}`. A target is a column of an export (`q3`, `q3[row]`), a detail of the response (`id`, `submitted_at`, `started_at`, `status`, `language`, `external_id`), or `metadata.NAME`. Empty excludes a column. In a query, the parameter is JSON. */
            columns?: {
                [key: string]: string;
            };
            /** @description Zone of times of responses that have none in the file, such as `Europe/Berlin`, a name of the IANA database (default: UTC, with a warning). */
            time_zone?: string;
            /**
             * @description Answers that do not fit their question: `keep` moves them to `invalid_answers` of the response's metadata, `blank` removes them, `reject` rejects the response (default: `reject` for the source `custom`, `keep` for others). With `keep` and `blank`, valid rows and choices of such an answer are stored, if they are a valid answer of their own. A finished response with values of which none fits as an answer is rejected with `NO_ANSWERS` in all cases.
             * @enum {string}
             */
            on_invalid_answer?: "" | "keep" | "reject" | "blank";
            /**
             * @description Unfinished responses: stored as `in_progress` (default), as `completed`, or not at all (`leave_out`).
             * @enum {string}
             */
            partial_responses?: "" | "in_progress" | "completed" | "leave_out";
            /** @description Import responses that the tool marks as previews, tests or spam (default false). */
            include_tests?: boolean;
        };
        /** @description A file with a survey. */
        ImportSurveyRequest: {
            /**
             * @description Tool that the file comes from.
             * @enum {string}
             */
            source: "custom" | "typeform" | "surveymonkey" | "google_forms" | "microsoft_forms" | "qualtrics" | "limesurvey" | "formbricks" | "surveyjs" | "xlsform" | "table";
            /**
             * @description Format of the file, supported by the source.
             * @enum {string}
             */
            format: "json" | "csv" | "qsf" | "lss" | "lsa" | "tsv" | "xlsx";
            /** @description The file: JSON for `json` and `qsf`, a string for `csv`, `lss` and `tsv`. An `xlsx` or `lsa` file must be the body itself. */
            data: unknown;
            /** @description Options of the import. */
            options?: components["schemas"]["ImportOptions"];
            /** @description Name of the file. It becomes the title, if there is no other. */
            filename?: string;
        };
        /** @description A change to the content of the file. */
        ImportWarning: {
            /** @description Stable code. */
            code: string;
            /** @description JSON pointer into the file. */
            path: string;
            /** @description Explanation for people. */
            detail: string;
        };
        /** @description Pearson's chi-squared test of independence, without Yates' correction. The groups `other` and `none` are not tested; only for links is `none`, the survey's own address. Options and groups without answers are left out. */
        IndependenceTest: {
            /** @description The test statistic χ². */
            chi_squared: number;
            /** @description Degrees of freedom. */
            degrees_of_freedom: number;
            /** @description Probability of a result at least as large if options and groups are independent: 0 to 1. Below 1e-15, it is 0. */
            p: number;
            /** @description Cramér's V, the strength of the association: 0 to 1. */
            cramers_v: number;
        };
        /**
         * @description A scale of options; with `rows`, the same scale for several statements.
         * @example {
         *       "type": "likert",
         *       "id": "service",
         *       "title": "Do you agree?",
         *       "options": [
         *         "no",
         *         "yes"
         *       ],
         *       "rows": [
         *         "Service was fast"
         *       ]
         *     }
         */
        LikertQuestion: {
            /**
             * @description The question type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "likert";
            /** @description The text of the question. */
            title: components["schemas"]["TranslatableText"];
            /** @description 1 to 128 of the characters `A-Z a-z 0-9 _ . -`, unique in the survey. Generated when missing. Answers, logic and exports use it. */
            id?: string;
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Whether an answer is required. A question hidden by logic is never required. Default: `false`. */
            required?: boolean;
            /** @description The scale. Required to publish. */
            options?: (string | components["schemas"]["QuestionOption"])[];
            /** @description The statements. */
            rows?: (string | components["schemas"]["QuestionOption"])[];
            /** @description If `required` is true: how many rows, any of them, need an answer. Default: all. */
            required_rows?: number;
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description A link to a survey. */
        Link: {
            /** @description Id of the link. */
            id: string;
            /** @description The survey of the link. */
            survey_id: string;
            /** @description Last part of the path `/v1/public/links/{slug}`, unique on the platform. */
            slug: string;
            /** @description Whether the link is enabled. */
            active: boolean;
            /**
             * Format: date-time
             * @description Expiry; absent if there is none.
             */
            expires_at?: string;
            /**
             * Format: int32
             * @description Maximum number of responses through the link; absent if there is none.
             */
            max_responses?: number;
            /** @description Whether each response needs a token of the link, which it uses up. */
            single_use: boolean;
            /** @description Whether respondents need a password. */
            has_password: boolean;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            /** @description User who created it. */
            created_by: string;
            /** @description User who changed it last. */
            updated_by: string;
            /** @description New tokens of a single-use link, only in the reply that creates them. */
            tokens: string[];
            /** @description Ids of the invitations for which the new tokens stand, in the same order. A response has the id of its invitation, so keep it with the person you invite; it gives no access. */
            invitation_ids: string[];
            /** @description Metadata of each new response through the link; absent if there is none. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description The recipient of a token. */
        LinkRecipient: {
            /** @description Metadata of the response with the token, at most 4 KiB of JSON: fields of the survey's `metadata_fields` that have `token` in `from`. It goes before the metadata of the link and of requests. Nobody can read it before there is a response. It is deleted with the link. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Number of responses through a link. */
        LinkResponseCounts: {
            /** @description The link. */
            link_id: string;
            /** @description Responses in all states. */
            total: number;
            /** @description Responses in progress. */
            in_progress: number;
            /** @description Completed responses. `max_responses` of the link limits them. */
            completed: number;
            /** @description Disqualified responses. */
            disqualified: number;
            /** @description Abandoned responses. */
            abandoned: number;
            /**
             * Format: date-time
             * @description Time of creation of the latest response.
             */
            last_response_at: string;
            /**
             * Format: date-time
             * @description Time of the count.
             */
            counted_at: string;
        };
        /** @description The new tokens. */
        LinkTokens: {
            /** @description The new tokens. */
            tokens: string[];
            /** @description Ids of the invitations for which they stand, in the same order. A response has the id of its invitation. */
            invitation_ids: string[];
        };
        /** @description Selects answers. */
        ListAnswersRequest: {
            /**
             * Format: int32
             * @description Page size, 1 to 1000 (default 50).
             */
            limit?: number;
            /** @description Cursor of the page, from the `Link` header of the previous page. */
            cursor?: string;
            /** @description Only responses in this state. */
            status?: components["schemas"]["ResponseStatus"];
            /**
             * Format: uuid
             * @description Only responses that came through this link.
             */
            link_id?: string;
            /** @description Only responses in this language: as it is spelled here, or in the nearest language that the latest version declares (`de` for `de_AT`). */
            language?: string;
            /**
             * Format: int32
             * @description Only responses to this version of the survey.
             */
            version?: number;
            /**
             * Format: date-time
             * @description Only responses created at this time or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Only responses created before this time.
             */
            until?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified at this time or later.
             */
            completed_since?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified before this time.
             */
            completed_until?: string;
            /**
             * @description `desc` (default, newest first) or `asc`.
             * @enum {string}
             */
            order?: "asc" | "desc";
            /** @description Only responses with exactly this external id. */
            external_id?: string;
            /** @description Only responses for which these conditions hold. They apply in addition to the other filters. */
            where?: components["schemas"]["ResponseConditions"];
        };
        /** @description Selects responses. */
        ListResponsesRequest: {
            /**
             * Format: int32
             * @description Page size, 1 to 1000 (default 50). Pages end early at 16 MiB; a larger sample is 422.
             */
            limit?: number;
            /** @description Cursor of the page, from the `Link` header of the previous page. */
            cursor?: string;
            /** @description Return a uniform random sample of `limit` responses, a new one for each call. If drawing it takes long, because few of very many responses match the filters, the reply has only a part of it: follow the `Link` header for the rest. */
            random?: boolean;
            /** @description Only responses in this state. */
            status?: components["schemas"]["ResponseStatus"];
            /**
             * Format: uuid
             * @description Only responses that came through this link.
             */
            link_id?: string;
            /** @description Only responses in this language: as it is spelled here, or in the nearest language that the latest version declares (`de` for `de_AT`). */
            language?: string;
            /**
             * Format: int32
             * @description Only responses to this version of the survey.
             */
            version?: number;
            /**
             * Format: date-time
             * @description Only responses created at this time or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Only responses created before this time.
             */
            until?: string;
            /**
             * Format: date-time
             * @description Only responses changed at this time or later.
             */
            updated_since?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified at this time or later.
             */
            completed_since?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified before this time.
             */
            completed_until?: string;
            /**
             * @description `desc` (default, newest first) or `asc`. Not with `random`.
             * @enum {string}
             */
            order?: "asc" | "desc";
            /** @description Only responses with exactly this external id. */
            external_id?: string;
            /** @description Only responses for which these conditions hold. They apply in addition to the other filters. */
            where?: components["schemas"]["ResponseConditions"];
        };
        /** @description Tests the answer to one question. */
        LogicCondition: {
            /** @description The question whose answer is tested. */
            source_question?: string;
            /**
             * @description The comparison. The type of the question determines the allowed ones.
             * @enum {string}
             */
            operator?: "equals" | "not_equals" | "contains" | "not_contains" | "in" | "not_in" | "greater_than" | "greater_or_equal" | "less_than" | "less_or_equal" | "is_answered" | "is_not_answered" | "matches";
            /** @description The value to compare the answer with. Options are given by id, or by their exact text in any language, if only one option has it. */
            value?: unknown;
            /**
             * @description Used instead of the action of the entry.
             * @enum {string}
             */
            action?: "show" | "hide" | "require" | "skip_to" | "disqualify";
            /** @description Used instead of the target of the entry. */
            target_question?: string;
            /** @description Another name for `source_question`, in the short form. Not the affected question, as in an entry. */
            question_id?: string;
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /**
         * @description Conditions, and what happens if they are true.
         * @example {
         *       "question_id": "taste",
         *       "conditions": [
         *         {
         *           "source_question": "ate",
         *           "operator": "equals",
         *           "value": "yes"
         *         }
         *       ]
         *     }
         * @example {
         *       "conditions": [
         *         {
         *           "question_id": "ate",
         *           "operator": "equals",
         *           "value": "yes",
         *           "target_question": "taste"
         *         }
         *       ]
         *     }
         */
        LogicEntry: {
            /** @description The question, or section, that the entry affects. For `skip_to`: where the skip starts. */
            question_id?: string;
            /** @description Without one, the entry has no effect (`MISSING_CONDITIONS`). */
            conditions?: components["schemas"]["LogicCondition"][];
            /**
             * @description `all`: every condition must be true. `any`: one is enough. Default: `all`.
             * @enum {string}
             */
            match?: "all" | "any";
            /**
             * @description The effect. Default: `show`.
             * @enum {string}
             */
            action?: "show" | "hide" | "require" | "skip_to" | "disqualify";
            /** @description For `skip_to`: the question, or section, to continue with. For other actions: the affected question, in place of `question_id`. */
            target_question?: string;
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /**
         * @description Rows and columns; one column for each row, or several with `multiple`.
         * @example {
         *       "type": "matrix",
         *       "id": "days",
         *       "title": "When do you eat with us?",
         *       "rows": [
         *         "Monday"
         *       ],
         *       "columns": [
         *         "lunch",
         *         "dinner"
         *       ]
         *     }
         */
        MatrixQuestion: {
            /**
             * @description The question type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "matrix";
            /** @description The text of the question. */
            title: components["schemas"]["TranslatableText"];
            /** @description 1 to 128 of the characters `A-Z a-z 0-9 _ . -`, unique in the survey. Generated when missing. Answers, logic and exports use it. */
            id?: string;
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Whether an answer is required. A question hidden by logic is never required. Default: `false`. */
            required?: boolean;
            /** @description The rows. Required to publish. */
            rows?: (string | components["schemas"]["QuestionOption"])[];
            /** @description The columns. Required to publish. */
            columns?: (string | components["schemas"]["QuestionOption"])[];
            /** @description Whether a row can have several columns. Default: `false`. */
            multiple?: boolean;
            /** @description If `required` is true: how many rows, any of them, need an answer. Default: all. */
            required_rows?: number;
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description The caller. */
        Me: {
            /** @description Id of the tenant. */
            tenant_id: string;
            /** @description Id of the user: the subject of the token. */
            user_id: string;
            /** @description Role in the tenant: viewer, analyst, editor, admin or owner. */
            role: components["schemas"]["UserRole"];
            /** @description All permissions of the token, sorted. */
            permissions: string[];
        };
        /** @description Interval that contains the mean with a confidence of 95 %, by Student's t-distribution. */
        MeanInterval: {
            /** @description Lower limit. */
            low: number;
            /** @description Upper limit. */
            high: number;
        };
        /** @description A declared member of the metadata of responses. */
        MetadataField: {
            /** @description Name of the member. Exports call its column `metadata.NAME`. */
            name: string;
            /**
             * @description Type of the values: `string`, `number`, `boolean` or `date` (`YYYY-MM-DD`).
             * @enum {string}
             */
            type: "string" | "number" | "boolean" | "date";
            /**
             * Format: int32
             * @description Maximum number of characters, only for the type `string` (default 4096).
             */
            max_length?: number;
            /** @description Sources that can set the field of a new response. `url`: requests without a token. `token`: tokens of single-use links. `link`: links. `api`: requests with a token that has `responses:write`. */
            from: ("url" | "token" | "link" | "api")[];
        };
        /**
         * @description Any number of options.
         * @example {
         *       "type": "multiple_choice",
         *       "id": "dishes",
         *       "title": "What did you eat?",
         *       "options": [
         *         "Soup",
         *         "Rice"
         *       ],
         *       "max_selections": 2
         *     }
         */
        MultipleChoiceQuestion: {
            /**
             * @description The question type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "multiple_choice";
            /** @description The text of the question. */
            title: components["schemas"]["TranslatableText"];
            /** @description 1 to 128 of the characters `A-Z a-z 0-9 _ . -`, unique in the survey. Generated when missing. Answers, logic and exports use it. */
            id?: string;
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Whether an answer is required. A question hidden by logic is never required. Default: `false`. */
            required?: boolean;
            /** @description The options. Required to publish. */
            options?: (string | components["schemas"]["QuestionOption"])[];
            /** @description Respondents can add a text of up to 1,000 characters. Default: `false`. */
            allow_other?: boolean;
            /** @description Minimum number of chosen options; the text of `allow_other` counts as one. An exclusive option is enough alone. To force an answer, also set `required`. */
            min_selections?: number;
            /** @description Maximum number of chosen options; the text of `allow_other` counts as one. */
            max_selections?: number;
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description Net promoter score of a rating from 0 to 10. */
        NetPromoterScore: {
            /** @description Number of answers of 9 and 10. */
            promoters: number;
            /** @description Number of answers of 7 and 8. */
            passives: number;
            /** @description Number of answers of 0 to 6. */
            detractors: number;
            /** @description Percentage of promoters minus that of detractors: -100 to 100. */
            score: number;
        };
        /** @enum {string} */
        NoTestReason: "multiple_choice" | "same_question" | "too_few_cells" | "low_expected_count" | "hidden_cells";
        /** @description Number of times that an option was chosen. */
        OptionSummary: {
            /** @description Id of the option; `other` for free text. */
            id: string;
            /** @description Number of responses. */
            count: number;
            /** @description Share of the responses that answer the question or row, 0 to 1. */
            share: number;
            /** @description Text of the option; absent in rows, see `columns`. */
            text?: string;
        };
        /** @description Responses that reached a page. A question of an earlier version counts for the page with the number that its page had. */
        PageSummary: {
            /** @description Position of the page, from 1. */
            page: number;
            /** @description Title of the page. */
            title?: string;
            /** @description Number of responses that did not end before this page, without those for which logic hid all of its questions. */
            reached: number;
            /** @description Number of unfinished responses whose last answer is on this page. Responses without answers count for the first page. */
            stopped: number;
        };
        /** @description Answers of a period. */
        PeriodCount: {
            /** @description For dates: the day (`2025-10-01`), the month if there are more than 1,000 days, or the year if there are more than 1,000 months. For times: the hour (`14:00`). */
            period: string;
            /** @description Number of answers. */
            count: number;
        };
        /** @description Selects responses to delete, by the filters of counts. */
        PlanResponseDeletionRequest: {
            /** @description Only responses in this state. */
            status?: components["schemas"]["ResponseStatus"];
            /**
             * Format: uuid
             * @description Only responses that came through this link.
             */
            link_id?: string;
            /** @description Only responses in this language: as it is spelled here, or in the nearest language that the latest version declares (`de` for `de_AT`). */
            language?: string;
            /**
             * Format: int32
             * @description Only responses to this version of the survey.
             */
            version?: number;
            /**
             * Format: date-time
             * @description Only responses created at this time or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Only responses created before this time.
             */
            until?: string;
            /**
             * Format: date-time
             * @description Only responses changed at this time or later.
             */
            updated_since?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified at this time or later.
             */
            completed_since?: string;
            /**
             * Format: date-time
             * @description Only responses completed or disqualified before this time.
             */
            completed_until?: string;
            /** @description Only responses with exactly this external id. */
            external_id?: string;
            /** @description Only responses for which these conditions hold. They apply in addition to the other filters. */
            where?: components["schemas"]["ResponseConditions"];
            /** @description Plan to delete all responses. Required without conditions and filters. */
            all?: boolean;
            /** @description Must be true: only a plan deletes. */
            dry_run?: boolean;
        };
        /** @description A file with responses, or its beginning. */
        PlanResponseImportRequest: {
            /**
             * @description Format of the file (default: guessed).
             * @enum {string}
             */
            format?: "" | "json" | "csv" | "ndjson" | "xlsx" | "lsa";
            /** @description The file, as in an import. */
            responses: unknown;
            /** @description Remove the apostrophe that exports put before formulas (default: if the CSV begins with all columns of an export). */
            unmask?: boolean;
            /**
             * @description Tool that the file comes from (default: guessed).
             * @enum {string}
             */
            source?: "" | "custom" | "typeform" | "surveymonkey" | "google_forms" | "microsoft_forms" | "qualtrics" | "limesurvey" | "formbricks" | "surveyjs" | "xlsform" | "table";
            /** @description Name of the file. */
            filename?: string;
            /** @description Character encoding of a table (CSV), such as `windows-1252` (default: detected; a byte order mark wins). */
            encoding?: string;
            /** @description Character between the cells of a table, such as `;`, or `tab` (default: a line such as `sep=;` in the file, or detected). No effect on workbooks. */
            separator?: string;
            /** @description Locale of dates and decimals in a table, such as `de` (default: found by column; the import asks if two readings are possible). */
            locale?: string;
            /** @description Order of dates in a table, such as `DD/MM/YYYY`. Wins over `locale`. Years with two digits need `YY`. */
            date_format?: string;
            /**
             * @description Decimal separator in a table. Wins over `locale`.
             * @enum {string}
             */
            decimal?: "" | "." | ",";
            /** @description Targets of columns of a table, by heading, or by `#3` for the third column: `{"Timestamp": "submitted_at", "How was it?": "q3", "Notes": ""}`. A target is a column of an export (`q3`, `q3[row]`), a detail of the response (`id`, `submitted_at`, `started_at`, `status`, `language`, `external_id`), or `metadata.NAME`. Empty excludes a column. In a query, the parameter is JSON. */
            columns?: {
                [key: string]: string;
            };
            /** @description Zone of times of responses that have none in the file, such as `Europe/Berlin`, a name of the IANA database (default: UTC, with a warning). */
            time_zone?: string;
        };
        /** @description A file with a survey, or its beginning. */
        PlanSurveyImportRequest: {
            /**
             * @description Tool that the file comes from (default: guessed).
             * @enum {string}
             */
            source?: "" | "custom" | "typeform" | "surveymonkey" | "google_forms" | "microsoft_forms" | "qualtrics" | "limesurvey" | "formbricks" | "surveyjs" | "xlsform" | "table";
            /**
             * @description Format of the file (default: guessed).
             * @enum {string}
             */
            format?: "" | "json" | "csv" | "qsf" | "lss" | "lsa" | "tsv" | "xlsx";
            /** @description The file, as in an import. */
            data: unknown;
            /** @description Options of the import. In a plan, those of tables matter. */
            options?: components["schemas"]["ImportOptions"];
            /** @description Name of the file. */
            filename?: string;
        };
        /** @description An error (RFC 9457). */
        Problem: {
            /**
             * Format: uri-reference
             * @description Address of the page about the code, at the gateway.
             */
            type: string;
            /** @description The code as words. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description A description of the error, for people. */
            detail: string;
            code: components["schemas"]["ErrorCode"];
            /** @description Identifies the request in the logs of the platform. */
            request_id: string;
            /** @description The response in progress, for `RESPONSE_IN_PROGRESS`. Absent if it cannot be continued here. */
            response_id?: string;
            /** @description The exceeded limit, of `TOO_MANY_REQUESTS`. */
            policy?: string;
            /** @description The invalid fields. */
            errors?: components["schemas"]["FieldProblem"][];
        };
        /** @description A folder for surveys. */
        Project: {
            /** @description Id of the project. */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description Description. */
            description: string;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            /** @description User who created it. */
            created_by: string;
            /** @description User who changed it last. */
            updated_by: string;
        };
        /** @description An uploaded file. */
        PublicFile: {
            /** @description Id of the file, for the answer. */
            file_id: string;
            /** @description Name of the file; absent if none was given. */
            filename?: string;
            /** @description Media type, detected from the bytes. */
            content_type: string;
            /** @description Size in bytes. */
            size: number;
            /**
             * Format: date-time
             * @description Time of deletion, unless an answer names the file.
             */
            expires_at: string;
        };
        /** @description A declared member of the metadata of responses. */
        PublicMetadataField: {
            /** @description Name of the member. */
            name: string;
            /** @description Type of the values: `string`, `number`, `boolean` or `date`. */
            type: string;
        };
        /** @description A response in progress, for its respondent. */
        PublicResponse: {
            /** @description Id of the response. */
            id: string;
            /** @description `in_progress`, `completed` or `disqualified`. */
            status: components["schemas"]["ResponseStatus"];
            /** @description The survey. */
            survey_id: string;
            /**
             * Format: int32
             * @description Version of the definition that the answers belong to.
             */
            survey_version: number;
            /** @description Answers so far: question id → value. Empty if the response came through a link and is finished. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Time of completion; absent while it is in progress.
             */
            completed_at?: string;
        };
        /** @description A survey as respondents see it. */
        PublicSurvey: {
            /** @description Id of the survey. */
            id: string;
            /**
             * Format: int32
             * @description Number of this version of the definition.
             */
            version: number;
            /** @description The definition. */
            definition: components["schemas"]["SurveyDefinition"];
            /** @description Languages that the survey is offered in, the default first. */
            languages: string[];
            /** @description Current slug of the link; absent at the survey's own address. It differs from the slug in the path if the link was renamed: the former slug works for 90 days. */
            slug?: string;
            /** @description The response in progress that was begun with the token of the single-use link; absent if there is none. */
            response_in_progress?: components["schemas"]["ResponseInProgress"];
            /**
             * Format: int32
             * @description The same number as `version`, under the name that it has in responses and summaries.
             */
            survey_version: number;
            /** @description The metadata that a request without a token can set. */
            metadata_fields: components["schemas"]["PublicMetadataField"][];
        };
        /**
         * @description An option, row or column of a question.
         * @example {
         *       "id": "soup",
         *       "text": "Soup"
         *     }
         */
        QuestionOption: {
            /** @description Unique in the list. Without an id, the text becomes the id; of a text with translations, the first one in the object. */
            id?: string;
            /** @description If missing, the id is shown. */
            text?: components["schemas"]["TranslatableText"];
            /** @description Multiple choice only: this option cannot be chosen together with others. Default: `false`. */
            exclusive?: boolean;
            /** @description No longer offered: respondents cannot choose it. Imports and corrections of responses can still use it. Summaries and exports still show it. Default: `false`. */
            inactive?: boolean;
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description Answers to a question. `answered`, `unanswered` and `not_shown` add up to the number of responses. */
        QuestionSummary: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Type of the question. */
            type: string;
            /** @description Number of responses with an answer. */
            answered: number;
            /** @description Number of responses without an answer, shown or not. */
            skipped: number;
            /** @description Number of times that each option was chosen, for questions with options. */
            options: components["schemas"]["OptionSummary"][];
            /** @description Mean of the answers, for questions with numbers; absent without answers. */
            mean?: number;
            /** @description Median of the answers: of an even number of them, the mean of the two in the middle. Absent if there are more than a million different numbers. */
            median?: number;
            /** @description Population standard deviation of the answers. */
            stddev?: number;
            /** @description Smallest answer. */
            min?: number;
            /** @description Largest answer. */
            max?: number;
            /** @description Answers to each row, for questions with rows. */
            rows: components["schemas"]["RowSummary"][];
            /** @description Title of the question. */
            title?: string;
            /** @description Position of its page, from 1. */
            page: number;
            /** @description Versions that have the question with this type; latest first. Their answers are counted together. */
            versions: number[];
            /** @description Versions that have the question with another type. Their answers are counted in `answered`, and in the distribution if the values have the same form. */
            other_versions: number[];
            /** @description Number of responses that were shown the question. */
            shown: number;
            /** @description Number of responses that were shown the question and have no answer. */
            unanswered: number;
            /** @description Number of responses that were not shown the question: logic hides it, their version lacks it, or they ended on an earlier page. */
            not_shown: number;
            /** @description Distribution of numbers. Numbers have a bin each if there are at most 100 different ones, including those of a rating that nobody chose. Otherwise there are up to 20 bins of equal width. */
            histogram: components["schemas"]["HistogramBin"][];
            /** @description Net promoter score, for ratings from 0 to 10 with answers. */
            nps?: components["schemas"]["NetPromoterScore"];
            /** @description Distribution of dates and times of day. */
            periods: components["schemas"]["PeriodCount"][];
            /** @description Options or columns of the rows, in the order of the latest version, for questions with rows. */
            columns: components["schemas"]["ColumnLabel"][];
            /** @description Number of files in all answers, for questions with files. */
            files?: number;
            /** @description The answers of each group. Absent without groups, and for questions that do not fit: the tables of a survey have at most 3,000 lines. Each question takes 15, and one for each option, hour or number of its scale; for dates and other numbers 100. */
            crosstab?: components["schemas"]["Crosstab"];
        };
        /** @description Use of a rate limit. */
        RateLimitUsage: {
            /**
             * @description Name of the policy: `default` for all requests with tokens and API keys, `heavy` for imports, exports, downloads and summaries among them.
             * @enum {string}
             */
            policy: "default" | "heavy";
            /** @description Requests allowed per minute; absent if none were sent in the last five minutes. */
            requests_per_minute?: number;
            /** @description Requests of the last minute. Gateways reserve some in advance, which count too. */
            used: number;
        };
        /** @description A value of a scale. Its id, else its text, is a number. */
        RatingOption: {
            /** @description The number. */
            id?: string | number;
            /** @description If missing, the id is shown. */
            text?: components["schemas"]["TranslatableText"];
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /**
         * @description A number on a scale, also for NPS (`min` 0, `max` 10) and sliders.
         * @example {
         *       "type": "rating",
         *       "id": "nps",
         *       "title": "Would you recommend us?",
         *       "min": 0,
         *       "max": 10
         *     }
         */
        RatingQuestion: {
            /**
             * @description The question type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "rating";
            /** @description The text of the question. */
            title: components["schemas"]["TranslatableText"];
            /** @description 1 to 128 of the characters `A-Z a-z 0-9 _ . -`, unique in the survey. Generated when missing. Answers, logic and exports use it. */
            id?: string;
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Whether an answer is required. A question hidden by logic is never required. Default: `false`. */
            required?: boolean;
            /** @description The lowest value. Default: `1`. */
            min?: number;
            /** @description The highest value. If it is missing and `min` is more than 5, it is `min`. Default: `5`. */
            max?: number;
            /** @description Answers are `min`, `min + step`, and so on. Default: `1`. */
            step?: number;
            /** @description Texts for values, `{"1": "Poor", "5": "Excellent"}`, or an array with the texts of the values from `min` on. For display only. */
            labels?: {
                [key: string]: components["schemas"]["TranslatableText"];
            } | components["schemas"]["TranslatableText"][];
            /** @description Another way to write the scale: `"1-5"`, `["1-5"]`, or an array of numbers, which means the range from the smallest to the largest. Ignored if `min` and `max` are given. */
            options?: string | (string | number | components["schemas"]["RatingOption"])[];
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description A job that sends deliveries again. */
        Replay: {
            /** @description Id of the replay. */
            id: string;
            /** @description The webhook. */
            webhook_id: string;
            /**
             * @description `running`, `completed`, `cancelled` or `failed` (the webhook was deleted or disabled meanwhile).
             * @enum {string}
             */
            status: "running" | "completed" | "cancelled" | "failed";
            /**
             * Format: date-time
             * @description Deliveries created at this time or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Deliveries created before this time.
             */
            until: string;
            /** @description Only deliveries with these statuses; empty for all. */
            statuses: components["schemas"]["ReplayableStatus"][];
            /** @description Only deliveries of these event types; empty for all. */
            event_types: string[];
            /** @description Number of deliveries to send. It grows until very many are counted; sending starts then. */
            total: number;
            /** @description Number of deliveries scheduled so far. */
            replayed: number;
            /**
             * Format: date-time
             * @description Time of the request.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description End of the job; absent before.
             */
            finished_at?: string;
        };
        /** @description Selects deliveries. */
        ReplayWebhookRequest: {
            /**
             * Format: date-time
             * @description Deliveries created at this time or later (default: all that are kept).
             */
            since?: string;
            /**
             * Format: date-time
             * @description Deliveries created before this time, not in the future (default: now).
             */
            until?: string;
            /** @description Only deliveries with these statuses (default: `failed` without a further retry). */
            statuses?: components["schemas"]["ReplayableStatus"][];
            /** @description Only deliveries of these event types (default: all). */
            event_types?: string[];
        };
        /** @enum {string} */
        ReplayableStatus: "delivered" | "failed";
        /** @description The data of `response.abandoned`. */
        ResponseAbandonedData: {
            /**
             * Format: uuid
             * @description Id of the response.
             */
            response_id: string;
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /** @description Version of the survey that the respondent answered. */
            survey_version: number;
            /**
             * @description Status of the response.
             * @enum {string}
             */
            status: "in_progress" | "completed" | "disqualified" | "abandoned";
            /**
             * Format: date-time
             * @description The time when the respondent started.
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description The time when the response was completed or disqualified.
             */
            completed_at?: string;
            /** @description Language in which the respondent answered. */
            language?: string;
            /**
             * Format: uuid
             * @description Id of the link through which the response was submitted.
             */
            link_id?: string;
            /**
             * Format: uuid
             * @description Id of the invitation, if the link is single-use: one of its `invitation_ids`.
             */
            invitation_id?: string;
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A response in progress was not saved for too long. */
        ResponseAbandonedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["ResponseAbandonedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "response.abandoned";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description The last change of a response. */
        ResponseChange: {
            /** @description Id of the response. */
            id: string;
            /**
             * Format: int32
             * @description Revision of the response, or of its deletion.
             */
            revision: number;
            /**
             * Format: date-time
             * @description Time of the change by the clock of the database, in seconds.
             */
            changed_at: string;
            /** @description Whether the response is deleted. */
            deleted: boolean;
            /** @description The response; absent if it is deleted. */
            response?: components["schemas"]["SurveyResponse"];
        };
        /** @description Changes of responses. */
        ResponseChanges: {
            /** @description The changes, in the order to apply them. Empty if there are none for now. */
            changes: components["schemas"]["ResponseChange"][];
            /** @description Cursor for the next request. Store it together with the changes. */
            next_cursor: string;
        };
        /** @description Tests the answer to one question, or another part of a response: `source_question` or `source`. */
        ResponseCondition: {
            /** @description The question whose answer is tested. */
            source_question?: string;
            /** @description The part of the response that is tested: `external_id`, `language`, `link_id`, `duration` (seconds from the start to the completion), or `metadata.NAME`. */
            source?: string;
            /**
             * @description The comparison, as in logic. The type of the source determines the allowed ones.
             * @enum {string}
             */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "in" | "not_in" | "greater_than" | "greater_or_equal" | "less_than" | "less_or_equal" | "is_answered" | "is_not_answered" | "matches";
            /** @description The value to compare with. Options are given by id, or by their exact text in any language, if only one option in the published versions has it. */
            value?: unknown;
        };
        /**
         * @description Selects responses by their answers and other parts. Hidden questions are unanswered, as in logic: only `is_not_answered` and the operators with `not` are true for them.
         * @example {
         *       "match": "all",
         *       "conditions": [
         *         {
         *           "source_question": "taste",
         *           "operator": "less_or_equal",
         *           "value": 2
         *         }
         *       ]
         *     }
         * @example {
         *       "conditions": [
         *         {
         *           "source": "duration",
         *           "operator": "less_than",
         *           "value": 30
         *         }
         *       ]
         *     }
         */
        ResponseConditions: {
            /**
             * @description `all`: every condition must be true. `any`: one is enough. Default: `all`.
             * @enum {string}
             */
            match?: "all" | "any";
            /** @description At most 50, with at most 1000 values together. */
            conditions: components["schemas"]["ResponseCondition"][];
        };
        /** @description A correction of a response by a user. */
        ResponseCorrection: {
            /**
             * Format: int32
             * @description Revision of the response after the correction.
             */
            revision: number;
            /**
             * Format: date-time
             * @description Time of the correction.
             */
            corrected_at: string;
            /** @description Id of the user. */
            corrected_by: string;
            /** @description Questions with another answer than before, at most 100. */
            question_ids: string[];
            /** @description Whether the metadata changed. */
            metadata_changed: boolean;
            /** @description Status before the correction. */
            status_before: components["schemas"]["ResponseStatus"];
            /** @description Status after the correction. */
            status_after: components["schemas"]["ResponseStatus"];
        };
        /** @description The count. */
        ResponseCount: {
            /** @description Number of responses. */
            count: number;
            /** @description Number of responses that match the other filters, and whose version lacks a question of the conditions. It counts as not answered there. Absent without conditions. */
            lacking_question?: number;
        };
        /** @description The data of `response.deleted`. */
        ResponseDeletedData: {
            /**
             * Format: uuid
             * @description Id of the response.
             */
            response_id: string;
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /** @description Version of the survey that the respondent answered. */
            survey_version: number;
            /**
             * @description Status of the response.
             * @enum {string}
             */
            status: "in_progress" | "completed" | "disqualified" | "abandoned";
            /**
             * Format: date-time
             * @description The time when the respondent started.
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description The time when the response was completed or disqualified.
             */
            completed_at?: string;
            /** @description Language in which the respondent answered. */
            language?: string;
            /**
             * Format: uuid
             * @description Id of the link through which the response was submitted.
             */
            link_id?: string;
            /**
             * Format: uuid
             * @description Id of the invitation, if the link is single-use: one of its `invitation_ids`.
             */
            invitation_id?: string;
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A user deleted a response, or its retention ended. `status` is its last status. */
        ResponseDeletedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["ResponseDeletedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "response.deleted";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description A plan. It contains the ids of the responses, not the conditions. */
        ResponseDeletionPlan: {
            /** @description Id of the plan. */
            plan_id: string;
            /** @description Number of responses in the plan, at most 1,000,000. */
            count: number;
            /** @description Ids of the first 20 responses, oldest first. */
            sample_ids: string[];
            /** @description Number of responses that match the other filters, and whose version lacks a question of the conditions. It counts as not answered there. Absent without conditions. */
            lacking_question?: number;
            /**
             * Format: date-time
             * @description An hour after the start of planning. Afterwards, the plan deletes nothing.
             */
            expires_at: string;
        };
        /** @description The progress of all requests with this plan. */
        ResponseDeletionProgress: {
            /** @description Number of responses that the plan has deleted. */
            deleted: number;
            /** @description Number of responses that the plan has not deleted, because they were changed or deleted since they were planned. */
            skipped: number;
            /** @description Number of responses to which the plan has not come yet. */
            remaining: number;
            /** @description Whether none remain. */
            complete: boolean;
        };
        /** @description The data of `response.disqualified`. */
        ResponseDisqualifiedData: {
            /**
             * Format: uuid
             * @description Id of the response.
             */
            response_id: string;
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /** @description Version of the survey that the respondent answered. */
            survey_version: number;
            /**
             * @description Status of the response.
             * @enum {string}
             */
            status: "in_progress" | "completed" | "disqualified" | "abandoned";
            /**
             * Format: date-time
             * @description The time when the respondent started.
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description The time when the response was completed or disqualified.
             */
            completed_at?: string;
            /** @description Language in which the respondent answered. */
            language?: string;
            /**
             * Format: uuid
             * @description Id of the link through which the response was submitted.
             */
            link_id?: string;
            /**
             * Format: uuid
             * @description Id of the invitation, if the link is single-use: one of its `invitation_ids`.
             */
            invitation_id?: string;
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A respondent was disqualified, or such a response was imported. */
        ResponseDisqualifiedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["ResponseDisqualifiedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "response.disqualified";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description A file that an answer names. */
        ResponseFile: {
            /** @description Id of the file, for `GET /v1/files/{file_id}`. */
            file_id: string;
            /** @description The question. */
            question_id: string;
            /** @description Name of the file; absent if none was given. */
            filename?: string;
            /** @description Media type, detected from the bytes. */
            content_type: string;
            /** @description Size in bytes. */
            size: number;
        };
        /** @description Responses with the same value. */
        ResponseGroup: {
            /**
             * @description `value`: responses with this value; `none`: without a value, for questions those that did not answer it; `other`: with a value that has no group.
             * @enum {string}
             */
            kind: "value" | "none" | "other";
            /** @description Id of the option or link, the number, the language, or the text; empty for other kinds. */
            value: string;
            /** @description Text of the option. */
            text?: string;
            /** @description Number of responses. Absent if `min_cell` hides it. */
            responses?: number;
        };
        /** @description Groups of the counted responses. */
        ResponseGrouping: {
            /** @description The part that the responses of a group share: `link`, `language` or `metadata.NAME`. */
            by?: string;
            /** @description The question whose answer the responses of a group share. */
            by_question?: string;
            /** @description The groups. Options and numbers are in the order of the question, the first 30 of them, chosen or not. Other values are in order of frequency, at most 30. Responses without a value, and then those with all other values, come last. */
            groups: components["schemas"]["ResponseGroup"][];
            /** @description Whether a response can be in several groups, because it can choose several options. Then the groups together have more responses than there are. */
            overlapping: boolean;
            /** @description Whether there are more than 100 different values. The groups are then the most frequent ones of the 100 that were read first. */
            more_values: boolean;
        };
        /** @description A response in progress, for the holder of the token of a single-use link. */
        ResponseInProgress: {
            /** @description Whether it can be continued here. `false` if the survey has the setting `resume_across_devices: false`: only the device with the resume token can continue. All other members are absent then. */
            resumable: boolean;
            /** @description Id of the response. */
            id?: string;
            /** @description Token to read, save and complete it, for the header `Resume-Token`. */
            resume_token?: string;
            /**
             * Format: int32
             * @description Number of its revision. Send it as `If-Match: "3"` when you save: if another device has saved meanwhile, you get 412 `PRECONDITION_FAILED`.
             */
            revision?: number;
            /** @description Answers so far: question id → value. They belong to the `version` of this reply. */
            data?: {
                [key: string]: unknown;
            };
            /** @description Language of the response; absent if it has none. */
            language?: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at?: string;
        };
        /** @description A page of responses, or a sample. */
        ResponsePage: {
            /** @description The responses. */
            responses: components["schemas"]["SurveyResponse"][];
            /** @description Cursor of the next page; empty on the last one. */
            next_cursor: string;
            /** @description Number of responses that were read for the page. With conditions, it can exceed the number on the page. */
            scanned: number;
            /** @description False if the search for the page ended at a limit of responses or time: the page may be short or empty, and `next_cursor` goes on. */
            complete: boolean;
            /** @description Number of read responses whose version lacks a question of the conditions. It counts as not answered there. Absent without conditions. */
            lacking_question?: number;
        };
        /** @description The data of `response.started`. */
        ResponseStartedData: {
            /**
             * Format: uuid
             * @description Id of the response.
             */
            response_id: string;
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /** @description Version of the survey that the respondent answered. */
            survey_version: number;
            /**
             * @description Status of the response.
             * @enum {string}
             */
            status: "in_progress" | "completed" | "disqualified" | "abandoned";
            /**
             * Format: date-time
             * @description The time when the respondent started.
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description The time when the response was completed or disqualified.
             */
            completed_at?: string;
            /** @description Language in which the respondent answered. */
            language?: string;
            /**
             * Format: uuid
             * @description Id of the link through which the response was submitted.
             */
            link_id?: string;
            /**
             * Format: uuid
             * @description Id of the invitation, if the link is single-use: one of its `invitation_ids`.
             */
            invitation_id?: string;
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A respondent saved a new response that is still in progress. */
        ResponseStartedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["ResponseStartedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "response.started";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @enum {string} */
        ResponseStatus: "in_progress" | "completed" | "disqualified" | "abandoned";
        /** @description The data of `response.submitted`. */
        ResponseSubmittedData: {
            /**
             * Format: uuid
             * @description Id of the response.
             */
            response_id: string;
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /** @description Version of the survey that the respondent answered. */
            survey_version: number;
            /**
             * @description Status of the response.
             * @enum {string}
             */
            status: "in_progress" | "completed" | "disqualified" | "abandoned";
            /**
             * Format: date-time
             * @description The time when the respondent started.
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description The time when the response was completed or disqualified.
             */
            completed_at?: string;
            /** @description Language in which the respondent answered. */
            language?: string;
            /**
             * Format: uuid
             * @description Id of the link through which the response was submitted.
             */
            link_id?: string;
            /**
             * Format: uuid
             * @description Id of the invitation, if the link is single-use: one of its `invitation_ids`.
             */
            invitation_id?: string;
            /** @description Only for webhooks with include_answers: answers by question id. They are read just before the first attempt, so they can be newer than the event. Null if the response had been deleted. */
            answers?: Record<string, never> | null;
            /** @description Only for webhooks with include_answers: values of the metadata fields that the survey declares. Absent if it declares none, or the response had been deleted. */
            metadata?: Record<string, never>;
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A response was completed, or a completed response was imported. */
        ResponseSubmittedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["ResponseSubmittedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "response.submitted";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description The data of `response.updated`. */
        ResponseUpdatedData: {
            /**
             * Format: uuid
             * @description Id of the response.
             */
            response_id: string;
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /** @description Version of the survey that the respondent answered. */
            survey_version: number;
            /**
             * @description Status of the response.
             * @enum {string}
             */
            status: "in_progress" | "completed" | "disqualified" | "abandoned";
            /**
             * Format: date-time
             * @description The time when the respondent started.
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description The time when the response was completed or disqualified.
             */
            completed_at?: string;
            /** @description Language in which the respondent answered. */
            language?: string;
            /**
             * Format: uuid
             * @description Id of the link through which the response was submitted.
             */
            link_id?: string;
            /**
             * Format: uuid
             * @description Id of the invitation, if the link is single-use: one of its `invitation_ids`.
             */
            invitation_id?: string;
            /** @description Only for webhooks with include_answers: answers by question id. They are read just before the first attempt, so they can be newer than the event. Null if the response had been deleted. */
            answers?: Record<string, never> | null;
            /** @description Only for webhooks with include_answers: values of the metadata fields that the survey declares. Absent if it declares none, or the response had been deleted. */
            metadata?: Record<string, never>;
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A user corrected a response. */
        ResponseUpdatedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["ResponseUpdatedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "response.updated";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description Options of the rotation. */
        RotateWebhookSecretRequest: {
            /** @description Hours for which the old secret signs too, 0 to 168 (default 24). */
            overlap_hours?: number;
            /** @description Your own secret for signatures, 24 to 256 characters. Without it, a random one is generated. */
            secret?: string;
        };
        /** @description Answers to a row. */
        RowSummary: {
            /** @description Id of the row. */
            id: string;
            /** @description Number of responses with an answer. */
            answered: number;
            /** @description Number of times that each option or column was chosen. */
            options: components["schemas"]["OptionSummary"][];
            /** @description Text of the row. */
            text?: string;
            /** @description The answers of each group, as for questions. */
            crosstab?: components["schemas"]["Crosstab"];
        };
        /** @description A rotation of the secret. */
        SecretRotation: {
            /** @description Id of the webhook. */
            webhook_id: string;
            /** @description The new secret, only in this reply. */
            secret: string;
            /**
             * Format: date-time
             * @description Time until which the old secret signs too; absent if it does not.
             */
            previous_secret_expires_at?: string;
        };
        /**
         * @description One of several options.
         * @example {
         *       "type": "single_choice",
         *       "id": "drink",
         *       "title": "What did you drink?",
         *       "options": [
         *         "Tea",
         *         {
         *           "id": "water",
         *           "text": "Water"
         *         }
         *       ]
         *     }
         */
        SingleChoiceQuestion: {
            /**
             * @description The question type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "single_choice";
            /** @description The text of the question. */
            title: components["schemas"]["TranslatableText"];
            /** @description 1 to 128 of the characters `A-Z a-z 0-9 _ . -`, unique in the survey. Generated when missing. Answers, logic and exports use it. */
            id?: string;
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Whether an answer is required. A question hidden by logic is never required. Default: `false`. */
            required?: boolean;
            /** @description The options. Required to publish. */
            options?: (string | components["schemas"]["QuestionOption"])[];
            /** @description Respondents can enter a text of up to 1,000 characters instead. Default: `false`. */
            allow_other?: boolean;
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description Answers of a respondent through a link. */
        SubmitLinkResponseRequest: {
            /**
             * @description `completed` (default) or `in_progress`. Answers of a response in progress are checked too, but may be incomplete.
             * @enum {string}
             */
            status?: "completed" | "in_progress";
            /** @description The answers: question id → value. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Start of the response. Up to five minutes in the future counts as now; later times are rejected.
             */
            started_at?: string;
            /**
             * Format: int32
             * @description Version of the definition that the answers belong to; it must have been published (default: the latest).
             */
            survey_version?: number;
            /** @description Your own data for the response, at most 16 KiB of JSON. It can set the fields that the survey takes from `url`. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Reject answers to questions that logic hides, instead of dropping them. */
            strict?: boolean;
            /** @description Language of the response: finds the nearest one that the survey declares. */
            language?: string;
        };
        /** @description Answers of a respondent. */
        SubmitPublicResponseRequest: {
            /**
             * @description `completed` (default) or `in_progress`. Answers of a response in progress are checked too, but may be incomplete.
             * @enum {string}
             */
            status?: "completed" | "in_progress";
            /** @description The answers: question id → value. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Start of the response. Up to five minutes in the future counts as now; later times are rejected.
             */
            started_at?: string;
            /**
             * Format: int32
             * @description Version of the definition that the answers belong to; it must have been published (default: the latest).
             */
            survey_version?: number;
            /** @description Your own data for the response, at most 16 KiB of JSON. It can set the fields that the survey takes from `url`. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Reject answers to questions that logic hides, instead of dropping them. */
            strict?: boolean;
            /** @description Language of the response: finds the nearest one that the survey declares. */
            language?: string;
        };
        /** @description The stored response, for its respondent. */
        SubmittedResponse: {
            /** @description Id of the response. */
            id: string;
            /** @description `in_progress`, `completed` or `disqualified`. */
            status: components["schemas"]["ResponseStatus"];
            /** @description The survey. */
            survey_id: string;
            /**
             * Format: int32
             * @description Version of the definition that the answers belong to.
             */
            survey_version: number;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of completion; absent while it is in progress.
             */
            completed_at?: string;
            /** @description Token to resume a response in progress, for the header `Resume-Token`. Only in the reply that creates the response. */
            resume_token?: string;
        };
        /** @description A survey. */
        Survey: {
            /** @description Id of the survey. */
            id: string;
            /** @description The tenant. */
            tenant_id: string;
            /** @description The definition: the `survey` member of the payload, with generated ids for questions without one. */
            definition: components["schemas"]["SurveyDefinition"];
            /** @description Version of the definition's format, for example `1.0`. */
            schema_version: string;
            /**
             * Format: int32
             * @description Number of this version of the definition.
             */
            version: number;
            /** @description `draft`, `active` or `closed`. */
            status: components["schemas"]["SurveyStatus"];
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            /** @description User who created it. */
            created_by: string;
            /** @description User who changed it last. */
            updated_by: string;
            /**
             * Format: date-time
             * @description Time of the last publication; absent if it was never published.
             */
            published_at?: string;
            /** @description Report of the import that created the survey, only in the reply to that import. */
            import?: components["schemas"]["ImportReport"];
            /** @description The project; absent without one. */
            project_id?: string;
            /** @description Access, opening times and limits. */
            settings: components["schemas"]["SurveySettings"];
            /** @description Whether a newer definition waits to be published. */
            has_draft: boolean;
            /**
             * Format: date-time
             * @description Time of deletion; absent if the survey is not deleted.
             */
            deleted_at?: string;
            /** @description User who deleted the survey. */
            deleted_by?: string;
        };
        /** @description The data of `survey.closed`. */
        SurveyClosedData: {
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /** @description Title of the survey, in its first language. */
            title: string;
            /** @description Newest version of its definition. */
            version: number;
            /**
             * @description Status of the survey.
             * @enum {string}
             */
            status: "draft" | "active" | "closed" | "deleted";
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A survey was closed and accepts no more responses. */
        SurveyClosedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["SurveyClosedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "survey.closed";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description The data of `survey.created`. */
        SurveyCreatedData: {
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /** @description Title of the survey, in its first language. */
            title: string;
            /** @description Newest version of its definition. */
            version: number;
            /**
             * @description Status of the survey.
             * @enum {string}
             */
            status: "draft" | "active" | "closed" | "deleted";
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A survey was created. */
        SurveyCreatedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["SurveyCreatedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "survey.created";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description The questions to respondents, with their logic. */
        SurveyDefinition: {
            /** @description The title of the survey. */
            title: components["schemas"]["TranslatableText"];
            /** @description [BCP 47](https://www.rfc-editor.org/info/bcp47) tags. The first one is the default language. */
            supported_languages: string[];
            /** @description The pages, in order. */
            pages: components["schemas"]["SurveyPage"][];
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Rules that show, hide or require questions. */
            logic?: components["schemas"]["LogicEntry"][];
            /** @description Groups of questions. */
            sections?: components["schemas"]["SurveySection"][];
            /** @description Shown before the first page. */
            welcome_screen?: components["schemas"]["SurveyScreen"];
            /** @description Shown after the last page. */
            thank_you_screen?: components["schemas"]["SurveyScreen"];
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description The data of `survey.deleted`. */
        SurveyDeletedData: {
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /** @description Title of the survey, in its first language. */
            title: string;
            /** @description Newest version of its definition. */
            version: number;
            /**
             * @description Status of the survey.
             * @enum {string}
             */
            status: "draft" | "active" | "closed" | "deleted";
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A survey was deleted. */
        SurveyDeletedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["SurveyDeletedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "survey.deleted";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description A definition that waits to be published. */
        SurveyDraft: {
            /** @description The survey. */
            survey_id: string;
            /**
             * Format: int32
             * @description The version that was edited. The draft can be published while this is the latest version.
             */
            based_on: number;
            /** @description Version of the definition's format. */
            schema_version: string;
            /** @description The definition. */
            definition: components["schemas"]["SurveyDefinition"];
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            /** @description User who saved it. */
            updated_by: string;
        };
        /** @description The data of `survey.limit_reached`. */
        SurveyLimitReachedData: {
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /**
             * Format: uuid
             * @description Id of the response that took the last seat. The `revision` of the event is the revision of this response.
             */
            response_id: string;
            /** @description Number of completed responses that the survey accepts. */
            response_limit: number;
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A submitted, imported or corrected response took the last seat of a survey with a response limit. */
        SurveyLimitReachedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["SurveyLimitReachedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "survey.limit_reached";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description Questions that are shown together. */
        SurveyPage: {
            /** @description The questions, in order. */
            questions: components["schemas"]["SurveyQuestion"][];
            /** @description A name of your own. It has no effect. */
            id?: unknown;
            /** @description The title of the page. */
            title?: components["schemas"]["TranslatableText"];
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description The payload for an existing survey. It can have the member `$schema` for editors, a string that is not kept. */
        SurveyPayload: {
            /** @description Version of the format of the definition, such as `1.0`. */
            schema_version: string;
            /**
             * Format: int32
             * @description The version that you edited: the latest one.
             */
            version: number;
            /** @description The definition, as for a new survey. */
            survey: components["schemas"]["SurveyDefinition"];
            /**
             * Format: uuid
             * @description The project (default: unchanged). Not with a draft.
             */
            project_id?: string;
            /** @description Access, opening times and limits (default: unchanged). Not with a draft. */
            settings?: components["schemas"]["SurveySettings"];
        };
        /** @description The data of `survey.published`. */
        SurveyPublishedData: {
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /** @description Title of the survey, in its first language. */
            title: string;
            /** @description Newest version of its definition. */
            version: number;
            /**
             * @description Status of the survey.
             * @enum {string}
             */
            status: "draft" | "active" | "closed" | "deleted";
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A survey, or a new version of it, was published and accepts responses. */
        SurveyPublishedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["SurveyPublishedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "survey.published";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description A question. Its `type` decides which other members it has. Members of other types have no effect. */
        SurveyQuestion: components["schemas"]["SingleChoiceQuestion"] | components["schemas"]["MultipleChoiceQuestion"] | components["schemas"]["TextQuestion"] | components["schemas"]["TextareaQuestion"] | components["schemas"]["RatingQuestion"] | components["schemas"]["LikertQuestion"] | components["schemas"]["MatrixQuestion"] | components["schemas"]["DateQuestion"] | components["schemas"]["TimeQuestion"] | components["schemas"]["FileUploadQuestion"];
        /** @description Answers of one respondent to a survey. */
        SurveyResponse: {
            /** @description Id of the response. */
            id: string;
            /** @description The tenant. */
            tenant_id: string;
            /** @description The survey. */
            survey_id: string;
            /** @description `in_progress`, `completed`, `disqualified` or `abandoned`. */
            status: components["schemas"]["ResponseStatus"];
            /** @description The answers: question id → value. */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Start of the response; absent if unknown. If it equals `completed_at`, the duration is unknown.
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description Time of completion or disqualification; absent before.
             */
            completed_at?: string;
            /**
             * Format: int32
             * @description Version of the definition that the answers belong to.
             */
            survey_version: number;
            /** @description Your own id for the response: given when it was created, or its id in the file that it was imported from. Several responses can have the same one. */
            external_id?: string;
            /** @description Data of the client for the response. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            /** @description Language of the response; absent if unknown. */
            language?: string;
            /** @description The link of the response; absent without one. */
            link_id?: string;
            /** @description The invitation of the response: the one of `invitation_ids` of the link that belongs to the token. Absent without a token, and in responses that earlier releases stored. */
            invitation_id?: string;
        };
        /** @description Number of responses to a survey. The numbers are absent as long as the survey is counted for the first time. */
        SurveyResponseCounts: {
            /** @description The survey. */
            survey_id: string;
            /** @description Responses in all states. */
            total?: number;
            /** @description Responses in progress. */
            in_progress?: number;
            /** @description Completed responses. */
            completed?: number;
            /** @description Disqualified responses. */
            disqualified?: number;
            /** @description Abandoned responses. */
            abandoned?: number;
            /**
             * Format: date-time
             * @description Time of creation of the latest response; absent without responses.
             */
            last_response_at?: string;
            /**
             * Format: date-time
             * @description Time of the count; absent without counts.
             */
            counted_at?: string;
        };
        /** @description Texts before or after the questions. */
        SurveyScreen: {
            /** @description The title. */
            title?: components["schemas"]["TranslatableText"];
            /** @description The text. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /**
         * @description A group of questions that logic can affect together.
         * @example {
         *       "id": "details",
         *       "title": "Details",
         *       "question_ids": [
         *         "taste",
         *         "comment"
         *       ]
         *     }
         */
        SurveySection: {
            /** @description Logic refers to it. A question with the same id wins. */
            id?: string;
            /** @description The title of the section. */
            title?: components["schemas"]["TranslatableText"];
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Ids of the questions. */
            question_ids?: string[];
            /** @description The same as `question_ids`. */
            questions?: string[];
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description Access, opening times and limits of an active survey. */
        SurveySettings: {
            /**
             * Format: date-time
             * @description Responses are rejected before this time.
             */
            opens_at?: string;
            /**
             * Format: date-time
             * @description The survey closes itself at this time.
             */
            closes_at?: string;
            /**
             * Format: int32
             * @description Maximum number of completed responses.
             */
            response_limit?: number;
            /**
             * @description `open` (default): everybody who knows the id can respond. `links_only`: respondents need a link.
             * @enum {string}
             */
            access?: "open" | "links_only";
            /** @description Declared languages in which the survey is offered; each finds the nearest declared one. Default: all. */
            languages?: string[];
            /**
             * Format: int32
             * @description A response is deleted this number of days after it was created or imported. Without it, responses are kept.
             */
            retention_days?: number;
            /** @description Whether a response in progress through a single-use link can be read and continued on another device with the token of the link (default true). With `false`, only the device that began it can continue. */
            resume_across_devices?: boolean;
            /** @description Declared members of the metadata of responses, each with its own name. The settings have no versions: if the type of a field changes, stored values stay as they are. */
            metadata_fields?: components["schemas"]["MetadataField"][];
        };
        /** @description Access, opening times and limits of an active survey. */
        SurveySettingsPatch: {
            /** @description Responses are rejected before this time. */
            opens_at?: string | null;
            /** @description The survey closes itself at this time. */
            closes_at?: string | null;
            /** @description Maximum number of completed responses. */
            response_limit?: number | null;
            /** @description `open` (default): everybody who knows the id can respond. `links_only`: respondents need a link. */
            access?: ("open" | "links_only") | null;
            /** @description Declared languages in which the survey is offered; each finds the nearest declared one. Default: all. */
            languages?: string[] | null;
            /** @description A response is deleted this number of days after it was created or imported. Without it, responses are kept. */
            retention_days?: number | null;
            /** @description Whether a response in progress through a single-use link can be read and continued on another device with the token of the link (default true). With `false`, only the device that began it can continue. */
            resume_across_devices?: boolean | null;
            /** @description Declared members of the metadata of responses, each with its own name. The settings have no versions: if the type of a field changes, stored values stay as they are. */
            metadata_fields?: components["schemas"]["MetadataField"][] | null;
        };
        /** @enum {string} */
        SurveyStatus: "draft" | "active" | "closed";
        /** @description Summary of the responses to a survey. */
        SurveySummary: {
            /** @description Number of completed responses, or of those in the state `status`. */
            responses: number;
            /** @description Completed responses of each day, in order. Days without any are left out. */
            by_day: components["schemas"]["DayCount"][];
            /** @description Answers to each question, in the order of the latest version; questions of earlier versions follow. */
            questions: components["schemas"]["QuestionSummary"][];
            /** @description Last answered question of responses that were started and not completed. */
            drop_off: components["schemas"]["DropOff"][];
            /** @description Responses of each interval, in order, if you set `interval`. Intervals without any are left out. If there are more than 5,000 intervals, you get 400 `INVALID_REQUEST`. */
            timeline: components["schemas"]["TimelineInterval"][];
            /** @description Versions that the responses answer, and the current one; latest first. */
            versions: number[];
            /** @description Pages of the latest version, in order. */
            pages: components["schemas"]["PageSummary"][];
            /** @description Responses by state, and the time that completed ones took. */
            completion: components["schemas"]["Completion"];
            /**
             * Format: int32
             * @description Latest version of the survey that the summary knows.
             */
            survey_version: number;
            /** @description Number of responses, in any state, that match the other filters, and whose version lacks a question of the conditions. It counts as not answered there. Absent without conditions. */
            lacking_question?: number;
            /** @description Groups of responses, if you set `by` or `by_question`. In `crosstab`, questions and rows have their answers. */
            grouping?: components["schemas"]["ResponseGrouping"];
        };
        /** @description The data of `survey.updated`. */
        SurveyUpdatedData: {
            /**
             * Format: uuid
             * @description Id of the survey.
             */
            survey_id: string;
            /** @description Title of the survey, in its first language. */
            title: string;
            /** @description Newest version of its definition. */
            version: number;
            /**
             * @description Status of the survey.
             * @enum {string}
             */
            status: "draft" | "active" | "closed" | "deleted";
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A survey was changed or restored. */
        SurveyUpdatedEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["SurveyUpdatedData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "survey.updated";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description A version of the definition of a survey. It never changes. */
        SurveyVersion: {
            /** @description The survey. */
            survey_id: string;
            /**
             * Format: int32
             * @description Number of the version.
             */
            version: number;
            /** @description Version of the definition's format. */
            schema_version: string;
            /** @description The definition; absent in lists. */
            definition?: components["schemas"]["SurveyDefinition"];
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /** @description User who created it. */
            created_by: string;
            /**
             * Format: date-time
             * @description Time when this version was first published; absent if it never was. Responses can name only published versions.
             */
            published_at?: string;
            /** @description User who first published it; absent if it never was, or an earlier release of the platform published it. */
            published_by?: string;
        };
        /** @description A customer of the platform, who owns all other records. */
        Tenant: {
            /** @description Id of the tenant. */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description `active`. Tokens of tenants in other states are rejected. */
            status: string;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /** @description Limits of this tenant. The platform's defaults apply for absent ones. */
            limits: components["schemas"]["TenantLimits"];
        };
        /** @description Limits of a tenant. Requests beyond get 429. */
        TenantLimits: {
            /**
             * Format: int32
             * @description Requests with tokens and API keys per minute. A quarter of that for imports, exports, downloads and summaries.
             */
            requests_per_minute?: number;
            /**
             * Format: int32
             * @description Requests in progress at each gateway process. A quarter of that for imports, exports, downloads and summaries.
             */
            concurrent_requests?: number;
        };
        /** @description Use of the limits of a tenant. */
        TenantUsage: {
            /** @description The rate limits: `default`, then `heavy`. */
            rate_limits: components["schemas"]["RateLimitUsage"][];
        };
        /**
         * @description One line of text.
         * @example {
         *       "type": "text",
         *       "id": "badge",
         *       "title": "Badge number",
         *       "pattern": "^[A-Z]{2}[0-9]{4}$"
         *     }
         */
        TextQuestion: {
            /**
             * @description The question type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "text";
            /** @description The text of the question. */
            title: components["schemas"]["TranslatableText"];
            /** @description 1 to 128 of the characters `A-Z a-z 0-9 _ . -`, unique in the survey. Generated when missing. Answers, logic and exports use it. */
            id?: string;
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Whether an answer is required. A question hidden by logic is never required. Default: `false`. */
            required?: boolean;
            /** @description Shortest text, in characters (Unicode code points). Default: `0`. */
            min_length?: number;
            /** @description Longest text, in characters (Unicode code points). Default: `1000`. */
            max_length?: number;
            /**
             * @description The kind of text: `email` (a domain with a dot), `url` (begins with `http://` or `https://`), `phone` (5 to 15 digits), `number` (decimal, such as `-1.5` or `2e3`) or `integer`. The answer stays a string.
             * @enum {string}
             */
            format?: "email" | "url" | "phone" | "number" | "integer";
            /**
             * @description A regular expression in [RE2 syntax](https://github.com/google/re2/wiki/Syntax): without look-around and back-references. It matches anywhere in the text; use `^` and `$` to match all of it. With `format`, the text must fit both.
             * @example ^[A-Z]{2}[0-9]{4}$
             */
            pattern?: string;
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /**
         * @description Text of any number of lines.
         * @example {
         *       "type": "textarea",
         *       "id": "comment",
         *       "title": "Anything else?",
         *       "max_length": 500
         *     }
         */
        TextareaQuestion: {
            /**
             * @description The question type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "textarea";
            /** @description The text of the question. */
            title: components["schemas"]["TranslatableText"];
            /** @description 1 to 128 of the characters `A-Z a-z 0-9 _ . -`, unique in the survey. Generated when missing. Answers, logic and exports use it. */
            id?: string;
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Whether an answer is required. A question hidden by logic is never required. Default: `false`. */
            required?: boolean;
            /** @description Shortest text, in characters (Unicode code points). Default: `0`. */
            min_length?: number;
            /** @description Longest text, in characters (Unicode code points). Default: `20000`. */
            max_length?: number;
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /**
         * @description A time of day without a time zone.
         * @example {
         *       "type": "time",
         *       "id": "arrival",
         *       "title": "At what time did you arrive?",
         *       "min": "11:30",
         *       "max": "14:00"
         *     }
         */
        TimeQuestion: {
            /**
             * @description The question type. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "time";
            /** @description The text of the question. */
            title: components["schemas"]["TranslatableText"];
            /** @description 1 to 128 of the characters `A-Z a-z 0-9 _ . -`, unique in the survey. Generated when missing. Answers, logic and exports use it. */
            id?: string;
            /** @description An explanation for respondents. */
            description?: components["schemas"]["TranslatableText"];
            /** @description Whether an answer is required. A question hidden by logic is never required. Default: `false`. */
            required?: boolean;
            /** @description Earliest time allowed, as `HH:MM` or `HH:MM:SS`. */
            min?: string;
            /** @description Latest time allowed, as `HH:MM` or `HH:MM:SS`. */
            max?: string;
            /** @description Your own content. Respondents can read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The parts of the source that an import kept. */
            source_data?: unknown;
        };
        /** @description Responses of an hour, day or week. */
        TimelineInterval: {
            /** @description Start in the time zone: `2025-10-01` for days and weeks, `2025-10-01T14:00+02:00` for hours. */
            start: string;
            /** @description Number of responses that were started in the interval, in any state. Without `started_at`, the time of completion or of storage counts, whichever is earlier. The same applies if `started_at` is before the creation of the survey, and the response was completed here: then the clock of the device was wrong. */
            started: number;
            /** @description Number of responses that were completed in the interval. */
            completed: number;
            /** @description Number of responses that were disqualified in the interval. */
            disqualified: number;
        };
        /**
         * @description A string, which is shown in every language, or an object with a string for each language.
         * @example Which size?
         * @example {
         *       "en": "Which size?",
         *       "de": "Welche Größe?"
         *     }
         */
        TranslatableText: string | {
            [key: string]: string;
        };
        /** @description Changes of a link. */
        UpdateLinkRequest: {
            /** @description Last part of the path, as in a new link. */
            slug?: string;
            /** @description Whether the link is enabled. */
            active?: boolean;
            /** @description Expiry; `null` removes it. */
            expires_at?: string | null;
            /** @description Maximum number of responses through the link; `null` removes it. */
            max_responses?: number | null;
            /** @description Password of the link, in ASCII characters without leading or trailing space; `null` removes it. */
            password?: string | null;
            /** @description Metadata of each new response through the link, as in a new link. A merge patch: `null` removes a field, or all of them. Stored responses stay as they are. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Changes of a project. */
        UpdateProjectRequest: {
            /** @description Name for people. */
            name?: string;
            /** @description Description. */
            description?: string | null;
        };
        /** @description Changes of a response in progress. */
        UpdatePublicResponseRequest: {
            /** @description `completed` completes the response. */
            status?: ("completed" | "in_progress") | null;
            /** @description Answers to change: question id → value; `null` removes an answer. */
            data?: {
                [key: string]: unknown;
            } | null;
            /** @description Your own data for the response, at most 16 KiB of JSON; `null` removes it. It can set the fields that the survey takes from `url`. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Language of the response: finds the nearest one that the survey declares. */
            language?: string | null;
            /** @description Reject answers to questions that logic hides, instead of dropping them. */
            strict?: boolean | null;
        };
        /** @description Corrections of a response. */
        UpdateResponseRequest: {
            /** @description Answers to change: question id → value, which replaces the whole answer; `null` removes it. */
            data?: {
                [key: string]: unknown;
            } | null;
            /** @description Data of the client for the response; `null` removes it. It can set all metadata fields of the survey. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Changes of a survey. */
        UpdateSurveyRequest: {
            /** @description The project; `null` removes the survey from its project. */
            project_id?: string | null;
            /** @description Access, opening times and limits. */
            settings?: components["schemas"]["SurveySettingsPatch"] | null;
        };
        /** @description Changes of the tenant. */
        UpdateTenantRequest: {
            /** @description Name for people. */
            name?: string;
        };
        /** @description Changes of a user. */
        UpdateUserRequest: {
            /**
             * Format: email
             * @description E-mail address, unique in the tenant.
             */
            email?: string;
            /** @description Role in the tenant. */
            role?: components["schemas"]["UserRole"];
            /** @description All permissions in addition to those of the role. `null` removes them. */
            permissions?: string[] | null;
        };
        /** @description Changes of a webhook. */
        UpdateWebhookRequest: {
            /** @description URL that events are sent to. */
            url?: string | null;
            /** @description Event types to subscribe to: names, `survey.*` for a family, or `*`. At least one. */
            event_types?: string[] | null;
            /** @description Whether the webhook is enabled; `null` means true. */
            active?: boolean | null;
            /** @description Description for people; `null` removes it. */
            description?: string | null;
            /** @description Headers to add to each request, as a merge patch: `null` removes one, or all. `********` keeps the value of an existing header. Values are for one receiver: if scheme, host or port of `url` change, send all values again, or remove them. Otherwise you get `HIDDEN_HEADER_VALUE`. */
            headers?: {
                [key: string]: unknown;
            } | null;
            /** @description Send only events of these surveys; `null` or empty for all. Unknown surveys are errors (`UNKNOWN_SURVEY`), unless the webhook has them already. */
            survey_ids?: string[] | null;
            /** @description Whether `response.submitted` and `response.updated` include the answers; `null` means false. Existing deliveries with answers are still sent and replayed with them. Deliveries still without answers get none if it is off by then. */
            include_answers?: boolean | null;
        };
        /** @description A user. */
        User: {
            /** @description Id of the user: the `sub` of the user's tokens. */
            id: string;
            /** @description The tenant. */
            tenant_id: string;
            /** @description E-mail address. */
            email: string;
            /** @description Role: viewer, analyst, editor, admin or owner. Each includes the permissions of those before it. */
            role: components["schemas"]["UserRole"];
            /** @description Permissions in addition to those of the role. */
            permissions: string[];
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
        };
        /** @enum {string} */
        UserRole: "viewer" | "analyst" | "editor" | "admin" | "owner";
        /** @description A webhook. */
        Webhook: {
            /** @description Id of the webhook. */
            id: string;
            /** @description The tenant. */
            tenant_id: string;
            /** @description URL that events are sent to. */
            url: string;
            /** @description Subscribed event types: names, `survey.*` for a family, or `*`. */
            event_types: string[];
            /** @description Whether the webhook is enabled. */
            active: boolean;
            /** @description Description for people. */
            description: string;
            /** @description Secret that signs deliveries, only in the reply to the creation. */
            secret?: string;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            /**
             * @description Reason why the platform disabled the webhook: `gone` after a reply of 410, `failing` after days of failures. Since then, its events are kept as failed deliveries, which you can replay.
             * @enum {string}
             */
            disabled_reason?: "gone" | "failing";
            /** @description Headers of each request. Values are shown as `********`. */
            headers: {
                [key: string]: unknown;
            };
            /** @description Only events of these surveys are sent; empty for all. Events without a survey are always sent. */
            survey_ids: string[];
            /** @description Whether `response.submitted` and `response.updated` include the answers. */
            include_answers: boolean;
            /**
             * Format: date-time
             * @description Time until which the previous secret signs too; absent if it does not.
             */
            previous_secret_expires_at?: string;
        };
        /** @description Attempts in some time, of deliveries that were created in this time. Of many deliveries, only the latest 1,000 are included. */
        WebhookActivity: {
            /** @description Number of deliveries. */
            deliveries: number;
            /** @description Number of attempts. */
            attempts: number;
            /** @description Number of attempts with a status of 2xx. */
            succeeded: number;
            /** @description Share of attempts that succeeded, 0 to 1; absent without attempts. */
            success_rate?: number;
            /** @description Median duration of attempts that got a reply, in milliseconds; absent without any. */
            latency_p50_ms?: number;
            /** @description Duration that 95% of the attempts with a reply did not exceed, in milliseconds; absent without any. */
            latency_p95_ms?: number;
            /** @description Whether there were more deliveries than are included. */
            is_sample: boolean;
        };
        /** @description The data of `webhook.disabled`. */
        WebhookDisabledData: {
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            webhook_id: string;
            /**
             * @description `gone`: the receiver replied with 410. `failing`: all deliveries failed for days.
             * @enum {string}
             */
            reason: "gone" | "failing";
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description The platform disabled a webhook. The other webhooks of the tenant get this event. */
        WebhookDisabledEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["WebhookDisabledData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "webhook.disabled";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
        /** @description The body of a request to a webhook. */
        WebhookEvent: components["schemas"]["ResponseStartedEvent"] | components["schemas"]["ResponseSubmittedEvent"] | components["schemas"]["ResponseDisqualifiedEvent"] | components["schemas"]["ResponseAbandonedEvent"] | components["schemas"]["ResponseUpdatedEvent"] | components["schemas"]["ResponseDeletedEvent"] | components["schemas"]["SurveyCreatedEvent"] | components["schemas"]["SurveyUpdatedEvent"] | components["schemas"]["SurveyPublishedEvent"] | components["schemas"]["SurveyClosedEvent"] | components["schemas"]["SurveyDeletedEvent"] | components["schemas"]["SurveyLimitReachedEvent"] | components["schemas"]["ImportCompletedEvent"] | components["schemas"]["ImportFailedEvent"] | components["schemas"]["WebhookDisabledEvent"] | components["schemas"]["WebhookTestEvent"];
        /** @description Health of a webhook. */
        WebhookHealth: {
            /** @description Id of the webhook. */
            webhook_id: string;
            /**
             * @description State of the circuit breaker. `closed`: deliveries are sent. `open`: after several failures, new deliveries wait until `circuit_probe_at`. `half_open`: the next delivery decides.
             * @enum {string}
             */
            circuit: "closed" | "open" | "half_open";
            /**
             * Format: date-time
             * @description Time from which one delivery is sent to an open circuit; absent unless `open`.
             */
            circuit_probe_at?: string;
            /**
             * Format: date-time
             * @description Time since which all deliveries that ended have failed for good; absent after a success. After some days, the platform disables the webhook.
             */
            failing_since?: string;
            /** @description Attempts of the last hour. */
            last_hour: components["schemas"]["WebhookActivity"];
            /** @description Attempts of the last 24 hours. */
            last_day: components["schemas"]["WebhookActivity"];
            /** @description Deliveries that wait for their first attempt, counted up to 10,000. */
            pending: number;
            /** @description Deliveries that wait for a further attempt, counted up to 10,000. */
            retrying: number;
            /** @description Kept deliveries that failed for good, counted up to 10,000. */
            failed: number;
            /**
             * Format: date-time
             * @description Time of the next attempt; absent if no delivery waits. In the past, if the delivery is due or being sent.
             */
            next_attempt_at?: string;
            /** @description Age of the oldest delivery that waits for an attempt: seconds since it was created, also if it is sent again. Absent if none waits. */
            oldest_waiting_age_seconds?: number;
            /** @description Which of `pending`, `retrying` and `failed` are capped: there are more than 10,000. */
            capped: ("pending" | "retrying" | "failed")[];
        };
        /** @description The data of `webhook.test`. */
        WebhookTestData: {
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            webhook_id: string;
            /** @description Always the same text. */
            message: string;
            /**
             * Format: date-time
             * @description The time of the change. Use it to order events of different records approximately.
             */
            occurred_at: string;
            /** @description Revision of the record after the change. Of two events of a record, the one with the higher revision is newer. */
            revision: number;
        };
        /** @description A user tests a webhook. Only this webhook gets the event, whatever its event types are. A test changes no data. */
        WebhookTestEvent: {
            /** @description Version of the body: `v1`. */
            api_version: string;
            data: components["schemas"]["WebhookTestData"];
            /**
             * Format: uuid
             * @description Id of the delivery, the same in each retry.
             */
            delivery_id: string;
            /**
             * @description Type of the event. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            event: "webhook.test";
            /**
             * Format: date-time
             * @description The time of creation of the delivery.
             */
            timestamp: string;
        };
    };
    responses: {
        /** @description `API_KEY_NOT_FOUND`: API key not found. Check the id. `GET /v1/api-keys` lists the keys. */
        ApiKeyNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `BODY_TOO_LARGE`: The body exceeds the limit of this operation. Send less, or split the request. `/docs` has the limit. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `CURSOR_EXPIRED`: Changes since this cursor are forgotten: start again without a cursor. Read all changes again: start without a cursor, and replace your copy. */
        CursorExpired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `DELIVERY_NOT_FOUND`: Delivery not found. Check the id. Deliveries are kept for a limited time. */
        DeliveryNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `FILE_NOT_FOUND`: File not found. Check the id. Only files of stored responses can be read. */
        FileNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller. */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `IMPORT_NOT_FOUND`: Import not found. Check the id. `GET /v1/imports` lists the imports. */
        ImportNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `INTERNAL`: Internal error. Repeat the request once, with the same `Idempotency-Key`. Report its `request_id` if it fails again. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `INVALID_FILE`: The question does not accept this file. Send a file of a type and size that the question allows. */
        InvalidFile: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `INVALID_TOKEN`: Invalid token. Send `Authorization: Bearer`, a space, and an API key or a token that is valid. */
        InvalidToken: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LINK_NOT_FOUND`: Link not found. Check the id or slug. The link may be deleted or switched off. */
        LinkNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LINKS_ONLY`: The survey can only be answered through a link. Use a link of the survey, or set its `access` to `open`. */
        LinksOnly: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `NOT_ACCEPTABLE`: The reply can only be JSON. Send `Accept: application/json`, or no `Accept`. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `PERMISSION_DENIED`: Permission required. Ask an admin of your tenant for the permission that `detail` names, or use another API key. */
        PermissionDenied: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `PRECONDITION_FAILED`: The record does not match If-Match. Read the record again, apply your change to it, and send its new `ETag`. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `PROJECT_NOT_FOUND`: Project not found. Check the id. `GET /v1/projects` lists the projects. */
        ProjectNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `REPLAY_NOT_FOUND`: Replay not found. Check the id. Replays are kept for a limited time. */
        ReplayNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `RESPONSE_DELETED`: The response of this Idempotency-Key has been deleted. Do not repeat the request. To submit again, use a new `Idempotency-Key`. */
        ResponseDeleted: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `RESPONSE_NOT_FOUND`: Response not found. Check the id and the `Resume-Token`. The response may be deleted or abandoned. */
        ResponseNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `ROUTE_NOT_FOUND`: No operation has this path. Compare the path with `/docs`: it has no trailing slash. */
        RouteNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `INTERNAL`: Internal error. Repeat the request once, with the same `Idempotency-Key`. Report its `request_id` if it fails again.
         *
         *     `UPSTREAM_INVALID`: A service sent an invalid reply. Repeat the request with the same `Idempotency-Key`. Report its `request_id` if it fails again.
         *
         *     `DEADLINE_EXCEEDED`: The request timed out. Repeat the request with the same `Idempotency-Key`, or ask for less.
         */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant. */
        SurveyNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `TOO_MANY_REQUESTS`: Too many requests. Wait for the seconds in `Retry-After`, then repeat the request. `policy` names the limit. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                /** @description Seconds to wait. */
                "Retry-After"?: number;
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `UNAVAILABLE`: The service is unavailable, try again. Wait for the seconds in `Retry-After`, then repeat the request with the same `Idempotency-Key`.
         *
         *     `OVERLOADED`: The service is overloaded, try again. Wait for the seconds in `Retry-After`, then repeat the request.
         */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                /** @description Seconds to wait. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be application/json in UTF-8, not compressed. Send uncompressed UTF-8 JSON with `Content-Type: application/json`. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `USER_NOT_FOUND`: User not found. Check the id. `GET /v1/users` lists the users. */
        UserNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that. */
        VersionConflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `WEBHOOK_NOT_FOUND`: Webhook not found. Check the id. `GET /v1/webhooks` lists the webhooks. */
        WebhookNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
        IdempotencyKey: string;
        /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
        PublicIdempotencyKey: string;
        /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
        IfMatch: string;
        /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request in the logs of the platform. */
        RequestId: string;
        /** @description Path of the new record. */
        Location: string;
        /** @description Identifies the revision, for `If-None-Match` and `If-Match`. */
        ETag: string;
        /** @description The remaining requests, and the seconds until the limit resets. */
        RateLimit: string;
        /** @description The limit: requests per number of seconds. */
        RateLimitPolicy: string;
        /** @description `true` if this is the reply to an earlier request with the same `Idempotency-Key`. */
        IdempotencyReplayed: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listSurveys: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Only surveys in this state. */
                status?: components["schemas"]["SurveyStatus"];
                /** @description Only surveys of this project. */
                project_id?: string;
                /** @description Only surveys with all of these words in their title, in any language. The beginning of a word is enough. A search for two words that are frequent, but rarely together, can be slow. */
                q?: string;
                /** @description Only surveys created at this time or later. */
                created_since?: string;
                /** @description Only surveys created before this time. */
                created_until?: string;
                /** @description Only surveys changed at this time or later, the last changed first. */
                updated_since?: string;
                /** @description Only surveys last changed before this time, the last changed first. */
                updated_until?: string;
                /** @description Only deleted surveys; needs the permission `surveys:delete`. */
                deleted?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of surveys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *         "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *         "definition": {
                     *           "title": "Canteen, autumn",
                     *           "supported_languages": [
                     *             "en"
                     *           ],
                     *           "pages": [
                     *             {
                     *               "questions": [
                     *                 {
                     *                   "id": "satisfaction",
                     *                   "type": "single_choice",
                     *                   "title": "How satisfied are you with the canteen?",
                     *                   "required": true,
                     *                   "options": [
                     *                     {
                     *                       "id": "happy",
                     *                       "text": "Happy"
                     *                     },
                     *                     {
                     *                       "id": "unhappy",
                     *                       "text": "Unhappy"
                     *                     }
                     *                   ]
                     *                 },
                     *                 {
                     *                   "id": "comment",
                     *                   "type": "textarea",
                     *                   "title": "What should we know?"
                     *                 },
                     *                 {
                     *                   "id": "receipt",
                     *                   "type": "file_upload",
                     *                   "title": "Your receipt, if you have it"
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         },
                     *         "schema_version": "1.0",
                     *         "version": 1,
                     *         "status": "draft",
                     *         "created_at": "2025-09-30T08:15:00.000Z",
                     *         "updated_at": "2025-09-30T08:15:00.000Z",
                     *         "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "settings": {
                     *           "closes_at": "2036-10-31T23:00:00.000Z",
                     *           "access": "open",
                     *           "languages": [],
                     *           "metadata_fields": [
                     *             {
                     *               "name": "campaign",
                     *               "type": "string",
                     *               "max_length": 100,
                     *               "from": [
                     *                 "url",
                     *                 "link"
                     *               ]
                     *             }
                     *           ]
                     *         },
                     *         "has_draft": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Survey"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schema_version": "1.0",
                 *       "version": 1,
                 *       "survey": {
                 *         "title": "Canteen, autumn",
                 *         "supported_languages": [
                 *           "en"
                 *         ],
                 *         "pages": [
                 *           {
                 *             "questions": [
                 *               {
                 *                 "id": "satisfaction",
                 *                 "type": "single_choice",
                 *                 "title": "How satisfied are you with the canteen?",
                 *                 "required": true,
                 *                 "options": [
                 *                   {
                 *                     "id": "happy",
                 *                     "text": "Happy"
                 *                   },
                 *                   {
                 *                     "id": "unhappy",
                 *                     "text": "Unhappy"
                 *                   }
                 *                 ]
                 *               },
                 *               {
                 *                 "id": "comment",
                 *                 "type": "textarea",
                 *                 "title": "What should we know?"
                 *               },
                 *               {
                 *                 "id": "receipt",
                 *                 "type": "file_upload",
                 *                 "title": "Your receipt, if you have it"
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       },
                 *       "settings": {
                 *         "closes_at": "2036-10-31T23:00:00Z",
                 *         "metadata_fields": [
                 *           {
                 *             "name": "campaign",
                 *             "type": "string",
                 *             "max_length": 100,
                 *             "from": [
                 *               "url",
                 *               "link"
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateSurveyRequest"];
            };
        };
        responses: {
            /** @description The new survey. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "schema_version": "1.0",
                     *       "version": 1,
                     *       "status": "draft",
                     *       "created_at": "2025-09-30T08:15:00.000Z",
                     *       "updated_at": "2025-09-30T08:15:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "settings": {
                     *         "closes_at": "2036-10-31T23:00:00.000Z",
                     *         "access": "open",
                     *         "languages": [],
                     *         "metadata_fields": [
                     *           {
                     *             "name": "campaign",
                     *             "type": "string",
                     *             "max_length": 100,
                     *             "from": [
                     *               "url",
                     *               "link"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "has_draft": false
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyKeyReused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_DEFINITION`: The survey definition has errors. Correct what `errors` lists: the codes are in the list of lint codes.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The survey. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "schema_version": "1.0",
                     *       "version": 1,
                     *       "status": "draft",
                     *       "created_at": "2025-09-30T08:15:00.000Z",
                     *       "updated_at": "2025-09-30T08:15:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "settings": {
                     *         "closes_at": "2036-10-31T23:00:00.000Z",
                     *         "access": "open",
                     *         "languages": [],
                     *         "metadata_fields": [
                     *           {
                     *             "name": "campaign",
                     *             "type": "string",
                     *             "max_length": 100,
                     *             "from": [
                     *               "url",
                     *               "link"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "has_draft": false
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    replaceSurvey: {
        parameters: {
            query?: {
                /** @description Keep the definition as a draft until you publish it. */
                draft?: boolean;
            };
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schema_version": "1.0",
                 *       "version": 1,
                 *       "survey": {
                 *         "title": "Canteen, autumn",
                 *         "supported_languages": [
                 *           "en"
                 *         ],
                 *         "pages": [
                 *           {
                 *             "questions": [
                 *               {
                 *                 "id": "satisfaction",
                 *                 "type": "rating",
                 *                 "title": "How satisfied are you with the canteen?",
                 *                 "required": true
                 *               },
                 *               {
                 *                 "id": "comment",
                 *                 "type": "textarea",
                 *                 "title": "What should we know?"
                 *               },
                 *               {
                 *                 "id": "receipt",
                 *                 "type": "file_upload",
                 *                 "title": "Your receipt, if you have it"
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SurveyPayload"];
            };
        };
        responses: {
            /** @description The changed survey. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "schema_version": "1.0",
                     *       "version": 2,
                     *       "status": "active",
                     *       "created_at": "2025-09-30T08:15:00.000Z",
                     *       "updated_at": "2025-09-30T08:15:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "settings": {
                     *         "closes_at": "2036-10-31T23:00:00.000Z",
                     *         "access": "open",
                     *         "languages": [],
                     *         "metadata_fields": [
                     *           {
                     *             "name": "campaign",
                     *             "type": "string",
                     *             "max_length": 100,
                     *             "from": [
                     *               "url",
                     *               "link"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "has_draft": false,
                     *       "published_at": "2025-09-30T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `STATE_CONFLICT`: The state of the record does not allow this. Read the record: `detail` says which state does not fit.
             *
             *     `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_DEFINITION`: The survey definition has errors. Correct what `errors` lists: the codes are in the list of lint codes.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            409: components["responses"]["VersionConflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "settings": {
                 *         "response_limit": 500,
                 *         "metadata_fields": [
                 *           {
                 *             "name": "campaign",
                 *             "type": "string",
                 *             "max_length": 100,
                 *             "from": [
                 *               "url",
                 *               "link"
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSurveyRequest"];
            };
        };
        responses: {
            /** @description The changed survey. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "schema_version": "1.0",
                     *       "version": 1,
                     *       "status": "draft",
                     *       "created_at": "2025-09-30T08:15:00.000Z",
                     *       "updated_at": "2025-09-30T08:15:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "settings": {
                     *         "closes_at": "2036-10-31T23:00:00.000Z",
                     *         "access": "open",
                     *         "languages": [],
                     *         "metadata_fields": [
                     *           {
                     *             "name": "campaign",
                     *             "type": "string",
                     *             "max_length": 100,
                     *             "from": [
                     *               "url",
                     *               "link"
                     *             ]
                     *           }
                     *         ],
                     *         "response_limit": 500
                     *       },
                     *       "has_draft": false
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["VersionConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    restoreSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changed survey. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "schema_version": "1.0",
                     *       "version": 1,
                     *       "status": "draft",
                     *       "created_at": "2025-09-30T08:15:00.000Z",
                     *       "updated_at": "2025-09-30T08:15:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "settings": {
                     *         "closes_at": "2036-10-31T23:00:00.000Z",
                     *         "access": "open",
                     *         "languages": [],
                     *         "metadata_fields": [
                     *           {
                     *             "name": "campaign",
                     *             "type": "string",
                     *             "max_length": 100,
                     *             "from": [
                     *               "url",
                     *               "link"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "has_draft": false
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `STATE_CONFLICT`: The state of the record does not allow this. Read the record: `detail` says which state does not fit.
             *
             *     `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    duplicateSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new survey. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "schema_version": "1.0",
                     *       "version": 1,
                     *       "status": "draft",
                     *       "created_at": "2025-09-30T08:15:00.000Z",
                     *       "updated_at": "2025-09-30T08:15:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "settings": {
                     *         "closes_at": "2036-10-31T23:00:00.000Z",
                     *         "access": "open",
                     *         "languages": [],
                     *         "metadata_fields": [
                     *           {
                     *             "name": "campaign",
                     *             "type": "string",
                     *             "max_length": 100,
                     *             "from": [
                     *               "url",
                     *               "link"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "has_draft": false
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    publishSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changed survey. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "schema_version": "1.0",
                     *       "version": 1,
                     *       "status": "active",
                     *       "created_at": "2025-09-30T08:15:00.000Z",
                     *       "updated_at": "2025-09-30T08:15:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "settings": {
                     *         "closes_at": "2036-10-31T23:00:00.000Z",
                     *         "access": "open",
                     *         "languages": [],
                     *         "metadata_fields": [
                     *           {
                     *             "name": "campaign",
                     *             "type": "string",
                     *             "max_length": 100,
                     *             "from": [
                     *               "url",
                     *               "link"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "has_draft": false,
                     *       "published_at": "2025-09-30T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `STATE_CONFLICT`: The state of the record does not allow this. Read the record: `detail` says which state does not fit.
             *
             *     `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_DEFINITION`: The survey definition has errors. Correct what `errors` lists: the codes are in the list of lint codes.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    closeSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changed survey. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "schema_version": "1.0",
                     *       "version": 1,
                     *       "status": "closed",
                     *       "created_at": "2025-09-30T08:15:00.000Z",
                     *       "updated_at": "2025-09-30T08:15:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "settings": {
                     *         "closes_at": "2036-10-31T23:00:00.000Z",
                     *         "access": "open",
                     *         "languages": [],
                     *         "metadata_fields": [
                     *           {
                     *             "name": "campaign",
                     *             "type": "string",
                     *             "max_length": 100,
                     *             "from": [
                     *               "url",
                     *               "link"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "has_draft": false,
                     *       "published_at": "2025-09-30T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `STATE_CONFLICT`: The state of the record does not allow this. Read the record: `detail` says which state does not fit.
             *
             *     `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    validateSurvey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Errors and warnings of a definition. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "errors": [],
                     *       "warnings": [
                     *         {
                     *           "path": "/survey/pages/0/questions/1/title/fr",
                     *           "code": "UNDECLARED_LANGUAGE",
                     *           "detail": "fr is not in supported_languages",
                     *           "question_id": "comment"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DefinitionReport"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    validatePayload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schema_version": "1.0",
                 *       "version": 1,
                 *       "survey": {
                 *         "title": "Canteen, autumn",
                 *         "supported_languages": [
                 *           "en"
                 *         ],
                 *         "pages": [
                 *           {
                 *             "questions": [
                 *               {
                 *                 "id": "satisfaction",
                 *                 "type": "single_choice",
                 *                 "title": "How satisfied are you?"
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Errors and warnings of a definition. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": false,
                     *       "errors": [
                     *         {
                     *           "path": "/survey/pages/0/questions/0/options",
                     *           "code": "MISSING_OPTIONS",
                     *           "detail": "a question of this type needs options",
                     *           "question_id": "satisfaction"
                     *         }
                     *       ],
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["DefinitionReport"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listSurveyVersions: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *         "version": 3,
                     *         "schema_version": "1.0",
                     *         "created_at": "2025-10-02T09:00:00.000Z",
                     *         "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "published_at": "2025-10-02T09:05:00.000Z",
                     *         "published_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SurveyVersion"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSurveyVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
                /** @description Number of the version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "version": 3,
                     *       "schema_version": "1.0",
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "created_at": "2025-10-02T09:00:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "published_at": "2025-10-02T09:05:00.000Z",
                     *       "published_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90"
                     *     }
                     */
                    "application/json": components["schemas"]["SurveyVersion"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            /**
             * @description `VERSION_NOT_FOUND`: The survey has no such version. Use a number of `GET /v1/surveys/{survey_id}/versions`.
             *
             *     `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getAnswerSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
                /** @description Number of the version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The JSON Schema. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *       "title": "Answers",
                     *       "description": "The `data` of a completed response, by question id.",
                     *       "type": "object",
                     *       "properties": {
                     *         "taste": {
                     *           "title": "How was it?",
                     *           "anyOf": [
                     *             {
                     *               "type": "number",
                     *               "enum": [
                     *                 1,
                     *                 2,
                     *                 3,
                     *                 4,
                     *                 5
                     *               ]
                     *             },
                     *             {
                     *               "anyOf": [
                     *                 {
                     *                   "enum": [
                     *                     null,
                     *                     [],
                     *                     {}
                     *                   ]
                     *                 },
                     *                 {
                     *                   "type": "string",
                     *                   "pattern": "^\\s*$"
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       },
                     *       "additionalProperties": false
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            /**
             * @description `VERSION_NOT_FOUND`: The survey has no such version. Use a number of `GET /v1/surveys/{survey_id}/versions`.
             *
             *     `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSurveyDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "based_on": 3,
                     *       "schema_version": "1.0",
                     *       "definition": {
                     *         "title": "Canteen, winter",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "updated_at": "2025-10-05T14:30:00.000Z",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90"
                     *     }
                     */
                    "application/json": components["schemas"]["SurveyDraft"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            /**
             * @description `DRAFT_NOT_FOUND`: The survey has no draft. Nothing to do: no definition waits to be published.
             *
             *     `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteSurveyDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            /**
             * @description `DRAFT_NOT_FOUND`: The survey has no draft. Nothing to do: no definition waits to be published.
             *
             *     `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportSurvey: {
        parameters: {
            query?: {
                /** @description `json` (default) or `csv`. */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Names the file. */
                    "Content-Disposition"?: string;
                    /** @description What a CSV leaves out, with commas between; absent when nothing. */
                    "Export-Omitted"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"source":"custom","format":"json","data":{"schema_version":"1.0","survey":{"title":"Canteen, autumn"}}} */
                    "*/*": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of projects. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199a1ef-8d10-7c44-a3f5-1b7e2c9d4e02",
                     *         "name": "Canteen",
                     *         "description": "Everything about food and drinks.",
                     *         "created_at": "2025-09-30T08:10:00.000Z",
                     *         "updated_at": "2025-09-30T08:10:00.000Z",
                     *         "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Project"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Canteen",
                 *       "description": "Everything about food and drinks."
                 *     }
                 */
                "application/json": components["schemas"]["CreateProjectRequest"];
            };
        };
        responses: {
            /** @description The new project. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1ef-8d10-7c44-a3f5-1b7e2c9d4e02",
                     *       "name": "Canteen",
                     *       "description": "Everything about food and drinks.",
                     *       "created_at": "2025-09-30T08:10:00.000Z",
                     *       "updated_at": "2025-09-30T08:10:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90"
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyKeyReused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the project. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1ef-8d10-7c44-a3f5-1b7e2c9d4e02",
                     *       "name": "Canteen",
                     *       "description": "Everything about food and drinks.",
                     *       "created_at": "2025-09-30T08:10:00.000Z",
                     *       "updated_at": "2025-09-30T08:10:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90"
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ProjectNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the project. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ProjectNotFound"];
            /**
             * @description `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             *
             *     `PROJECT_NOT_EMPTY`: The project still has surveys. Move the surveys of the project, or delete them, first.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the project. */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Canteen and bar"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateProjectRequest"];
            };
        };
        responses: {
            /** @description The changed project. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1ef-8d10-7c44-a3f5-1b7e2c9d4e02",
                     *       "name": "Canteen and bar",
                     *       "description": "Everything about food and drinks.",
                     *       "created_at": "2025-09-30T08:10:00.000Z",
                     *       "updated_at": "2025-09-30T08:10:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90"
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ProjectNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["VersionConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of links. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199a1f4-71aa-7e19-b6c3-4d5e6f708192",
                     *         "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *         "slug": "canteen-autumn",
                     *         "active": true,
                     *         "expires_at": "2036-10-31T23:00:00.000Z",
                     *         "max_responses": 500,
                     *         "single_use": false,
                     *         "has_password": false,
                     *         "created_at": "2025-09-30T08:20:00.000Z",
                     *         "updated_at": "2025-09-30T08:20:00.000Z",
                     *         "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "tokens": [],
                     *         "invitation_ids": [],
                     *         "metadata": {
                     *           "campaign": "poster"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Link"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "slug": "canteen-autumn",
                 *       "expires_at": "2036-10-31T23:00:00Z",
                 *       "max_responses": 500,
                 *       "metadata": {
                 *         "campaign": "poster"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateLinkRequest"];
            };
        };
        responses: {
            /** @description The new link. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f4-71aa-7e19-b6c3-4d5e6f708192",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "slug": "canteen-autumn",
                     *       "active": true,
                     *       "expires_at": "2036-10-31T23:00:00.000Z",
                     *       "max_responses": 500,
                     *       "single_use": false,
                     *       "has_password": false,
                     *       "created_at": "2025-09-30T08:20:00.000Z",
                     *       "updated_at": "2025-09-30T08:20:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "tokens": [],
                     *       "invitation_ids": [],
                     *       "metadata": {
                     *         "campaign": "poster"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `SLUG_TAKEN`: Another link has this slug, or had it in the last 90 days. Choose another slug, or send none.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the link. */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f4-71aa-7e19-b6c3-4d5e6f708192",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "slug": "canteen-autumn",
                     *       "active": true,
                     *       "expires_at": "2036-10-31T23:00:00.000Z",
                     *       "max_responses": 500,
                     *       "single_use": false,
                     *       "has_password": false,
                     *       "created_at": "2025-09-30T08:20:00.000Z",
                     *       "updated_at": "2025-09-30T08:20:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "tokens": [],
                     *       "invitation_ids": [],
                     *       "metadata": {
                     *         "campaign": "poster"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["LinkNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the link. */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["LinkNotFound"];
            409: components["responses"]["VersionConflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the link. */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "max_responses": 1000
                 *     }
                 */
                "application/json": components["schemas"]["UpdateLinkRequest"];
            };
        };
        responses: {
            /** @description The changed link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f4-71aa-7e19-b6c3-4d5e6f708192",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "slug": "canteen-autumn",
                     *       "active": true,
                     *       "expires_at": "2036-10-31T23:00:00.000Z",
                     *       "max_responses": 1000,
                     *       "single_use": false,
                     *       "has_password": false,
                     *       "created_at": "2025-09-30T08:20:00.000Z",
                     *       "updated_at": "2025-09-30T08:20:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "tokens": [],
                     *       "invitation_ids": [],
                     *       "metadata": {
                     *         "campaign": "poster"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            /**
             * @description `LINK_NOT_FOUND`: Link not found. Check the id or slug. The link may be deleted or switched off.
             *
             *     `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             *
             *     `SLUG_TAKEN`: Another link has this slug, or had it in the last 90 days. Choose another slug, or send none.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createLinkTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the link. */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "count": 2
                 *     }
                 */
                "application/json": components["schemas"]["CreateLinkTokensRequest"];
            };
        };
        responses: {
            /** @description The new tokens. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": [
                     *         "2nFxQk0bU6WJtq1ZpS3yHw.Jp5uXn8LkQ2cVb7MdR4tYg",
                     *         "m8Yc4vD7eRzK5aLg9XoTNA.Tz3kWq6HsB1xPf9NvC0jEw"
                     *       ],
                     *       "invitation_ids": [
                     *         "da717142-4d1b-83a5-89b6-ad59a52df21f",
                     *         "9bc61ce2-f0fb-891c-8ae5-a2e0f57a1334"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LinkTokens"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            /**
             * @description `LINK_NOT_FOUND`: Link not found. Check the id or slug. The link may be deleted or switched off.
             *
             *     `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `STATE_CONFLICT`: The state of the record does not allow this. Read the record: `detail` says which state does not fit.
             *
             *     `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getPublicSurvey: {
        parameters: {
            query?: {
                /** @description Lowest version to return, such as the `version` in the reply to a publication. If it cannot be read within two seconds, you get 503. Without it, the reply can have a version that was replaced less than two seconds ago. */
                at_least_version?: number;
            };
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The survey. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "version": 1,
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "languages": [
                     *         "en"
                     *       ],
                     *       "survey_version": 2,
                     *       "metadata_fields": [
                     *         {
                     *           "name": "campaign",
                     *           "type": "string"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PublicSurvey"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["LinksOnly"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `SURVEY_NOT_OPEN_YET`: The survey is not open yet. Try again after `opens_at` of the survey.
             *
             *     `SURVEY_CLOSED`: The survey is closed. Tell the respondent. The tenant can publish the survey again.
             *
             *     `RESPONSE_LIMIT_REACHED`: The survey has reached its response limit. Tell the respondent. The tenant can raise `response_limit`.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getPublicLink: {
        parameters: {
            query?: {
                /** @description Lowest version to return, such as the `version` in the reply to a publication. If it cannot be read within two seconds, you get 503. Without it, the reply can have a version that was replaced less than two seconds ago. A response in progress keeps its own version. */
                at_least_version?: number;
            };
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Password of the link. Needed if the link has one and you send no `Link-Token` instead. */
                "Link-Password"?: string;
                /** @description A token of a single-use link, or the one that you got for the password. */
                "Link-Token"?: string;
            };
            path: {
                /** @description Slug of the link. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The survey of the link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    /** @description Stands for the password for a day. */
                    "Link-Token"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "version": 1,
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "languages": [
                     *         "en"
                     *       ],
                     *       "survey_version": 2,
                     *       "metadata_fields": [
                     *         {
                     *           "name": "campaign",
                     *           "type": "string"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PublicSurvey"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    /** @description Stands for the password for a day. */
                    "Link-Token"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            /**
             * @description `LINK_PASSWORD_WRONG`: The link needs its password. Ask the respondent for the password, and send it as `Link-Password`.
             *
             *     `LINK_TOKEN_WRONG`: The link needs one of its tokens. Send an unused token of the link as `Link-Token`.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `LINK_NOT_FOUND`: Link not found. Check the id or slug. The link may be deleted or switched off.
             *
             *     `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `SURVEY_NOT_OPEN_YET`: The survey is not open yet. Try again after `opens_at` of the survey.
             *
             *     `SURVEY_CLOSED`: The survey is closed. Tell the respondent. The tenant can publish the survey again.
             *
             *     `RESPONSE_LIMIT_REACHED`: The survey has reached its response limit. Tell the respondent. The tenant can raise `response_limit`.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `LINK_EXPIRED`: The link has expired. Tell the respondent. The tenant can change `expires_at` of the link.
             *
             *     `LINK_USED_UP`: The link has reached its maximum of responses. Tell the respondent. The tenant can raise `max_responses`.
             *
             *     `LINK_TOKEN_USED`: A response with this token of the link is complete. Tell the respondent. The tenant can create another token.
             */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    submitPublicResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["PublicIdempotencyKey"];
            };
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "completed",
                 *       "data": {
                 *         "satisfaction": "happy",
                 *         "comment": "More soup, please."
                 *       },
                 *       "started_at": "2025-10-01T11:43:00Z",
                 *       "language": "en"
                 *     }
                 */
                "application/json": components["schemas"]["SubmitPublicResponseRequest"];
            };
        };
        responses: {
            /** @description The stored response. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *       "status": "completed",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "survey_version": 1,
                     *       "created_at": "2025-10-01T11:45:10.120Z",
                     *       "completed_at": "2025-10-01T11:45:10.120Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SubmittedResponse"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `IDEMPOTENCY_KEY_WEAK`: Without a token, Idempotency-Key must be a random UUID (version 4 or 7). Send a new random UUID as `Idempotency-Key`, or none.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["LinksOnly"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `SURVEY_NOT_OPEN_YET`: The survey is not open yet. Try again after `opens_at` of the survey.
             *
             *     `SURVEY_CLOSED`: The survey is closed. Tell the respondent. The tenant can publish the survey again.
             *
             *     `RESPONSE_LIMIT_REACHED`: The survey has reached its response limit. Tell the respondent. The tenant can raise `response_limit`.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            410: components["responses"]["ResponseDeleted"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_ANSWERS`: Answers are invalid. Correct the answers that `errors` lists.
             *
             *     `METADATA_NOT_ALLOWED`: This request cannot set fields of the metadata. Remove the members that `errors` names, or send them in a way that `from` of the field allows: see `metadata_fields` in the settings of the survey.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    submitLinkResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["PublicIdempotencyKey"];
                /** @description Password of the link. Needed if the link has one and you send no `Link-Token` instead. */
                "Link-Password"?: string;
                /** @description A token of a single-use link, or the one that you got for the password. */
                "Link-Token"?: string;
            };
            path: {
                /** @description Slug of the link. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "in_progress",
                 *       "data": {
                 *         "satisfaction": "happy"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SubmitLinkResponseRequest"];
            };
        };
        responses: {
            /** @description The stored response. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    ETag: components["headers"]["ETag"];
                    /** @description Stands for the password for a day. */
                    "Link-Token"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *       "status": "in_progress",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "survey_version": 1,
                     *       "created_at": "2025-10-01T11:45:10.120Z",
                     *       "resume_token": "9SJx2uYt0dLqH7ZcQe5mRg"
                     *     }
                     */
                    "application/json": components["schemas"]["SubmittedResponse"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `IDEMPOTENCY_KEY_WEAK`: Without a token, Idempotency-Key must be a random UUID (version 4 or 7). Send a new random UUID as `Idempotency-Key`, or none.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `LINK_PASSWORD_WRONG`: The link needs its password. Ask the respondent for the password, and send it as `Link-Password`.
             *
             *     `LINK_TOKEN_WRONG`: The link needs one of its tokens. Send an unused token of the link as `Link-Token`.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `LINK_NOT_FOUND`: Link not found. Check the id or slug. The link may be deleted or switched off.
             *
             *     `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `SURVEY_NOT_OPEN_YET`: The survey is not open yet. Try again after `opens_at` of the survey.
             *
             *     `SURVEY_CLOSED`: The survey is closed. Tell the respondent. The tenant can publish the survey again.
             *
             *     `RESPONSE_LIMIT_REACHED`: The survey has reached its response limit. Tell the respondent. The tenant can raise `response_limit`.
             *
             *     `RESPONSE_IN_PROGRESS`: A response with this token of the link is in progress. Read the link with the token, and continue the response that it returns. If it is not resumable, tell the respondent to continue on the first device.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `LINK_EXPIRED`: The link has expired. Tell the respondent. The tenant can change `expires_at` of the link.
             *
             *     `LINK_USED_UP`: The link has reached its maximum of responses. Tell the respondent. The tenant can raise `max_responses`.
             *
             *     `LINK_TOKEN_USED`: A response with this token of the link is complete. Tell the respondent. The tenant can create another token.
             *
             *     `RESPONSE_DELETED`: The response of this Idempotency-Key has been deleted. Do not repeat the request. To submit again, use a new `Idempotency-Key`.
             */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_ANSWERS`: Answers are invalid. Correct the answers that `errors` lists.
             *
             *     `METADATA_NOT_ALLOWED`: This request cannot set fields of the metadata. Remove the members that `errors` names, or send them in a way that `from` of the field allows: see `metadata_fields` in the settings of the survey.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    uploadPublicFile: {
        parameters: {
            query: {
                /** @description The question. */
                question_id: string;
                /** @description Name of the file. Path components are removed. */
                filename?: string;
            };
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["PublicIdempotencyKey"];
            };
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The stored file. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file_id": "0199a205-0b7c-7f21-9e88-0a1b2c3d4e5f",
                     *       "filename": "receipt.pdf",
                     *       "content_type": "application/pdf",
                     *       "size": 48213,
                     *       "expires_at": "2025-10-02T11:44:52.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PublicFile"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `IDEMPOTENCY_KEY_WEAK`: Without a token, Idempotency-Key must be a random UUID (version 4 or 7). Send a new random UUID as `Idempotency-Key`, or none.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["LinksOnly"];
            404: components["responses"]["SurveyNotFound"];
            /**
             * @description `SURVEY_NOT_OPEN_YET`: The survey is not open yet. Try again after `opens_at` of the survey.
             *
             *     `SURVEY_CLOSED`: The survey is closed. Tell the respondent. The tenant can publish the survey again.
             *
             *     `RESPONSE_LIMIT_REACHED`: The survey has reached its response limit. Tell the respondent. The tenant can raise `response_limit`.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFile"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    uploadLinkFile: {
        parameters: {
            query: {
                /** @description The question. */
                question_id: string;
                /** @description Name of the file. Path components are removed. */
                filename?: string;
            };
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["PublicIdempotencyKey"];
                /** @description Password of the link. Needed if the link has one and you send no `Link-Token` instead. */
                "Link-Password"?: string;
                /** @description A token of a single-use link, or the one that you got for the password. */
                "Link-Token"?: string;
            };
            path: {
                /** @description Slug of the link. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The stored file. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    /** @description Stands for the password for a day. */
                    "Link-Token"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file_id": "0199a205-0b7c-7f21-9e88-0a1b2c3d4e5f",
                     *       "filename": "receipt.pdf",
                     *       "content_type": "application/pdf",
                     *       "size": 48213,
                     *       "expires_at": "2025-10-02T11:44:52.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PublicFile"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `IDEMPOTENCY_KEY_WEAK`: Without a token, Idempotency-Key must be a random UUID (version 4 or 7). Send a new random UUID as `Idempotency-Key`, or none.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `LINK_PASSWORD_WRONG`: The link needs its password. Ask the respondent for the password, and send it as `Link-Password`.
             *
             *     `LINK_TOKEN_WRONG`: The link needs one of its tokens. Send an unused token of the link as `Link-Token`.
             */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `LINK_NOT_FOUND`: Link not found. Check the id or slug. The link may be deleted or switched off.
             *
             *     `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `SURVEY_NOT_OPEN_YET`: The survey is not open yet. Try again after `opens_at` of the survey.
             *
             *     `SURVEY_CLOSED`: The survey is closed. Tell the respondent. The tenant can publish the survey again.
             *
             *     `RESPONSE_LIMIT_REACHED`: The survey has reached its response limit. Tell the respondent. The tenant can raise `response_limit`.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `LINK_EXPIRED`: The link has expired. Tell the respondent. The tenant can change `expires_at` of the link.
             *
             *     `LINK_USED_UP`: The link has reached its maximum of responses. Tell the respondent. The tenant can raise `max_responses`.
             *
             *     `LINK_TOKEN_USED`: A response with this token of the link is complete. Tell the respondent. The tenant can create another token.
             */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFile"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getPublicResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `resume_token` that you got when you created the response. */
                "Resume-Token"?: string;
            };
            path: {
                /** @description Id of the response. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *       "status": "in_progress",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "survey_version": 1,
                     *       "data": {
                     *         "satisfaction": "happy"
                     *       },
                     *       "created_at": "2025-10-01T11:45:10.120Z",
                     *       "updated_at": "2025-10-01T11:45:10.120Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PublicResponse"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            /**
             * @description `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             *
             *     `RESPONSE_NOT_FOUND`: Response not found. Check the id and the `Resume-Token`. The response may be deleted or abandoned.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updatePublicResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The `resume_token` that you got when you created the response. */
                "Resume-Token"?: string;
            };
            path: {
                /** @description Id of the response. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "status": "completed",
                 *       "data": {
                 *         "comment": "More soup, please."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdatePublicResponseRequest"];
            };
        };
        responses: {
            /** @description The stored response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *       "status": "completed",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "survey_version": 1,
                     *       "created_at": "2025-10-01T11:45:10.120Z",
                     *       "completed_at": "2025-10-01T11:45:10.120Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SubmittedResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["LinksOnly"];
            /**
             * @description `LINK_NOT_FOUND`: Link not found. Check the id or slug. The link may be deleted or switched off.
             *
             *     `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             *
             *     `RESPONSE_NOT_FOUND`: Response not found. Check the id and the `Resume-Token`. The response may be deleted or abandoned.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `SURVEY_NOT_OPEN_YET`: The survey is not open yet. Try again after `opens_at` of the survey.
             *
             *     `SURVEY_CLOSED`: The survey is closed. Tell the respondent. The tenant can publish the survey again.
             *
             *     `RESPONSE_LIMIT_REACHED`: The survey has reached its response limit. Tell the respondent. The tenant can raise `response_limit`.
             *
             *     `STATE_CONFLICT`: The state of the record does not allow this. Read the record: `detail` says which state does not fit.
             *
             *     `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `LINK_EXPIRED`: The link has expired. Tell the respondent. The tenant can change `expires_at` of the link.
             *
             *     `LINK_USED_UP`: The link has reached its maximum of responses. Tell the respondent. The tenant can raise `max_responses`.
             */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_ANSWERS`: Answers are invalid. Correct the answers that `errors` lists.
             *
             *     `METADATA_NOT_ALLOWED`: This request cannot set fields of the metadata. Remove the members that `errors` names, or send them in a way that `from` of the field allows: see `metadata_fields` in the settings of the survey.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listResponses: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). Pages end early at 16 MiB; a larger sample is 422. */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Return a uniform random sample of `limit` responses, a new one for each call. If drawing it takes long, because few of very many responses match the filters, the reply has only a part of it: follow the `Link` header for the rest. */
                random?: boolean;
                /** @description Only responses in this state. */
                status?: components["schemas"]["ResponseStatus"];
                /** @description Only responses that came through this link. */
                link_id?: string;
                /** @description Only responses in this language: as it is spelled here, or in the nearest language that the latest version declares (`de` for `de_AT`). */
                language?: string;
                /** @description Only responses to this version of the survey. */
                version?: number;
                /** @description Only responses created at this time or later. */
                since?: string;
                /** @description Only responses created before this time. */
                until?: string;
                /** @description Only responses changed at this time or later. */
                updated_since?: string;
                /** @description Only responses completed or disqualified at this time or later. */
                completed_since?: string;
                /** @description Only responses completed or disqualified before this time. */
                completed_until?: string;
                /** @description `desc` (default, newest first) or `asc`. Not with `random`. */
                order?: "asc" | "desc";
                /** @description Only responses with exactly this external id. */
                external_id?: string;
                /** @description Only responses for which these conditions hold. They apply in addition to the other filters. */
                where?: string;
            };
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of responses, or a sample. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Number of responses read for the page whose version lacks a question of the conditions. Absent without conditions. */
                    "X-Lacking-Question"?: string;
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *         "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *         "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *         "status": "completed",
                     *         "data": {
                     *           "satisfaction": "happy",
                     *           "comment": "More soup, please."
                     *         },
                     *         "created_at": "2025-10-01T11:45:10.120Z",
                     *         "started_at": "2025-10-01T11:43:00.000Z",
                     *         "completed_at": "2025-10-01T11:45:10.120Z",
                     *         "survey_version": 1,
                     *         "updated_at": "2025-10-01T11:45:10.120Z",
                     *         "language": "en"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SurveyResponse"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "satisfaction": "happy",
                 *         "comment": "More soup, please."
                 *       },
                 *       "started_at": "2025-10-01T11:43:00Z",
                 *       "language": "en",
                 *       "external_id": "order-1042"
                 *     }
                 */
                "application/json": components["schemas"]["CreateResponseRequest"];
            };
        };
        responses: {
            /** @description The stored response. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "status": "completed",
                     *       "data": {
                     *         "satisfaction": "happy",
                     *         "comment": "More soup, please."
                     *       },
                     *       "created_at": "2025-10-01T11:45:10.120Z",
                     *       "started_at": "2025-10-01T11:43:00.000Z",
                     *       "completed_at": "2025-10-01T11:45:10.120Z",
                     *       "survey_version": 1,
                     *       "updated_at": "2025-10-01T11:45:10.120Z",
                     *       "language": "en",
                     *       "external_id": "order-1042"
                     *     }
                     */
                    "application/json": components["schemas"]["SurveyResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `SURVEY_NOT_OPEN_YET`: The survey is not open yet. Try again after `opens_at` of the survey.
             *
             *     `SURVEY_CLOSED`: The survey is closed. Tell the respondent. The tenant can publish the survey again.
             *
             *     `RESPONSE_LIMIT_REACHED`: The survey has reached its response limit. Tell the respondent. The tenant can raise `response_limit`.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            410: components["responses"]["ResponseDeleted"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_ANSWERS`: Answers are invalid. Correct the answers that `errors` lists.
             *
             *     `METADATA_NOT_ALLOWED`: This request cannot set fields of the metadata. Remove the members that `errors` names, or send them in a way that `from` of the field allows: see `metadata_fields` in the settings of the survey.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listResponsesByQuery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "where": {
                 *         "conditions": [
                 *           {
                 *             "source_question": "satisfaction",
                 *             "operator": "equals",
                 *             "value": "unhappy"
                 *           }
                 *         ]
                 *       },
                 *       "limit": 20
                 *     }
                 */
                "application/json": components["schemas"]["ListResponsesRequest"];
            };
        };
        responses: {
            /** @description A page of responses, or a sample. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Number of responses read for the page whose version lacks a question of the conditions. Absent without conditions. */
                    "X-Lacking-Question"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "responses": [
                     *         {
                     *           "id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *           "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *           "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *           "status": "completed",
                     *           "data": {
                     *             "satisfaction": "unhappy",
                     *             "comment": "Too salty."
                     *           },
                     *           "created_at": "2025-10-01T11:45:10.120Z",
                     *           "started_at": "2025-10-01T11:43:00.000Z",
                     *           "completed_at": "2025-10-01T11:45:10.120Z",
                     *           "survey_version": 1,
                     *           "updated_at": "2025-10-01T11:45:10.120Z",
                     *           "language": "en"
                     *         }
                     *       ],
                     *       "next_cursor": "",
                     *       "scanned": 128,
                     *       "complete": true,
                     *       "lacking_question": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ResponsePage"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listResponseChanges: {
        parameters: {
            query?: {
                /** @description Maximum number of changes, 1 to 1000 (default 50). Pages end early at 16 MiB. */
                limit?: number;
                /** @description `next_cursor` of the previous reply; without it, the feed starts from the beginning. It expires some weeks after its reply. */
                cursor?: string;
                /** @description Seconds to wait for a change if there is none, 0 to 20 (default 0). */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes of responses. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "changes": [
                     *         {
                     *           "id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *           "revision": 2,
                     *           "changed_at": "2025-10-01T11:52:31.000Z",
                     *           "deleted": false,
                     *           "response": {
                     *             "id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *             "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *             "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *             "status": "completed",
                     *             "data": {
                     *               "satisfaction": "happy",
                     *               "comment": "More soup, please."
                     *             },
                     *             "created_at": "2025-10-01T11:45:10.120Z",
                     *             "started_at": "2025-10-01T11:43:00.000Z",
                     *             "completed_at": "2025-10-01T11:45:10.120Z",
                     *             "survey_version": 1,
                     *             "updated_at": "2025-10-01T11:52:31.044Z"
                     *           }
                     *         },
                     *         {
                     *           "id": "0199a20b-77c0-7a3e-8f12-5d6e7f809112",
                     *           "revision": 3,
                     *           "changed_at": "2025-10-01T11:53:02.000Z",
                     *           "deleted": true
                     *         }
                     *       ],
                     *       "next_cursor": "WyJrUTN2Tm1YNEx3OHRCYTFaIiwiNzU1NTE2MzQ4NzA3NTk0MjQwMSIsIjc1NTUxNjM2MjAyMTk2Mzc3NjEiLCIiXQ"
                     *     }
                     */
                    "application/json": components["schemas"]["ResponseChanges"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            410: components["responses"]["CursorExpired"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    countResponses: {
        parameters: {
            query?: {
                /** @description Only responses in this state. */
                status?: components["schemas"]["ResponseStatus"];
                /** @description Only responses that came through this link. */
                link_id?: string;
                /** @description Only responses in this language: as it is spelled here, or in the nearest language that the latest version declares (`de` for `de_AT`). */
                language?: string;
                /** @description Only responses to this version of the survey. */
                version?: number;
                /** @description Only responses created at this time or later. */
                since?: string;
                /** @description Only responses created before this time. */
                until?: string;
                /** @description Only responses changed at this time or later. */
                updated_since?: string;
                /** @description Only responses completed or disqualified at this time or later. */
                completed_since?: string;
                /** @description Only responses completed or disqualified before this time. */
                completed_until?: string;
                /** @description Only responses with exactly this external id. */
                external_id?: string;
                /** @description Only responses for which these conditions hold. They apply in addition to the other filters. */
                where?: string;
            };
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The count. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 128,
                     *       "lacking_question": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ResponseCount"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    countResponsesByQuery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "where": {
                 *         "conditions": [
                 *           {
                 *             "source_question": "satisfaction",
                 *             "operator": "equals",
                 *             "value": "unhappy"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CountResponsesRequest"];
            };
        };
        responses: {
            /** @description The count. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 128,
                     *       "lacking_question": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ResponseCount"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listResponseCounts: {
        parameters: {
            query: {
                /** @description Ids of the surveys: repeat the parameter for each. */
                survey_ids: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *         "total": 140,
                     *         "in_progress": 5,
                     *         "completed": 128,
                     *         "disqualified": 3,
                     *         "abandoned": 4,
                     *         "last_response_at": "2025-10-02T16:20:11.000Z",
                     *         "counted_at": "2025-10-02T16:21:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SurveyResponseCounts"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listLinkResponseCounts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "link_id": "0199a1f4-71aa-7e19-b6c3-4d5e6f708192",
                     *         "total": 140,
                     *         "in_progress": 5,
                     *         "completed": 128,
                     *         "disqualified": 3,
                     *         "abandoned": 4,
                     *         "last_response_at": "2025-10-02T16:20:11.000Z",
                     *         "counted_at": "2025-10-02T16:21:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LinkResponseCounts"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the response. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "status": "completed",
                     *       "data": {
                     *         "satisfaction": "happy",
                     *         "comment": "More soup, please."
                     *       },
                     *       "created_at": "2025-10-01T11:45:10.120Z",
                     *       "started_at": "2025-10-01T11:43:00.000Z",
                     *       "completed_at": "2025-10-01T11:45:10.120Z",
                     *       "survey_version": 1,
                     *       "updated_at": "2025-10-01T11:45:10.120Z",
                     *       "language": "en"
                     *     }
                     */
                    "application/json": components["schemas"]["SurveyResponse"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ResponseNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the response. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ResponseNotFound"];
            409: components["responses"]["VersionConflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the response. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "data": {
                 *         "comment": "More soup."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateResponseRequest"];
            };
        };
        responses: {
            /** @description The changed response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "status": "completed",
                     *       "data": {
                     *         "satisfaction": "happy",
                     *         "comment": "More soup."
                     *       },
                     *       "created_at": "2025-10-01T11:45:10.120Z",
                     *       "started_at": "2025-10-01T11:43:00.000Z",
                     *       "completed_at": "2025-10-01T11:45:10.120Z",
                     *       "survey_version": 1,
                     *       "updated_at": "2025-10-04T09:00:00.000Z",
                     *       "language": "en"
                     *     }
                     */
                    "application/json": components["schemas"]["SurveyResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ResponseNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["VersionConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_ANSWERS`: Answers are invalid. Correct the answers that `errors` lists.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listResponseHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the response. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The corrections. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "revision": 2,
                     *         "corrected_at": "2025-10-04T09:00:00.000Z",
                     *         "corrected_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "question_ids": [
                     *           "comment"
                     *         ],
                     *         "metadata_changed": false,
                     *         "status_before": "completed",
                     *         "status_after": "completed"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ResponseCorrection"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ResponseNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listResponseFiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the response. */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "file_id": "0199a205-0b7c-7f21-9e88-0a1b2c3d4e5f",
                     *         "question_id": "receipt",
                     *         "filename": "receipt.pdf",
                     *         "content_type": "application/pdf",
                     *         "size": 48211
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ResponseFile"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ResponseNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    planResponseDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "where": {
                 *         "conditions": [
                 *           {
                 *             "source_question": "satisfaction",
                 *             "operator": "equals",
                 *             "value": "unhappy"
                 *           }
                 *         ]
                 *       },
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["PlanResponseDeletionRequest"];
            };
        };
        responses: {
            /** @description A plan. It contains the ids of the responses, not the conditions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan_id": "0199a211-6b2e-7c40-9d53-8e9fa0b1c2d3",
                     *       "count": 32,
                     *       "sample_ids": [
                     *         "0199a204-5f3b-7d62-8a90-c1b2d3e4f506"
                     *       ],
                     *       "lacking_question": 0,
                     *       "expires_at": "2025-10-04T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ResponseDeletionPlan"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deletePlannedResponses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
                /** @description Id of the plan. */
                plan_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expected_count": 32
                 *     }
                 */
                "application/json": components["schemas"]["DeletePlannedResponsesRequest"];
            };
        };
        responses: {
            /** @description The progress of all requests with this plan. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted": 31,
                     *       "skipped": 1,
                     *       "remaining": 0,
                     *       "complete": true
                     *     }
                     */
                    "application/json": components["schemas"]["ResponseDeletionProgress"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            /**
             * @description `SURVEY_NOT_FOUND`: Survey not found. Check the id. The survey may be deleted, not published, or of another tenant.
             *
             *     `DELETION_PLAN_NOT_FOUND`: Deletion plan not found. Plan the deletion again. A plan expires after an hour, and newer plans can replace it.
             */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportResponses: {
        parameters: {
            query?: {
                /** @description Only responses in this state. */
                status?: components["schemas"]["ResponseStatus"];
                /** @description Only responses that came through this link. */
                link_id?: string;
                /** @description Only responses in this language: as it is spelled here, or in the nearest language that the latest version declares (`de` for `de_AT`). */
                language?: string;
                /** @description Only responses to this version of the survey. */
                version?: number;
                /** @description Only responses created at this time or later. */
                since?: string;
                /** @description Only responses created before this time. */
                until?: string;
                /** @description Only responses changed at this time or later. */
                updated_since?: string;
                /** @description Only responses completed or disqualified at this time or later. */
                completed_since?: string;
                /** @description Only responses completed or disqualified before this time. */
                completed_until?: string;
                /** @description `csv` (default, a column for each question, row and option), `xlsx` (the same as a workbook, with the codebook as its second sheet), `ndjson` (one response a line) or `json` (an array). */
                format?: "csv" | "xlsx" | "ndjson" | "json";
                /** @description Names of questions and options in CSV and XLSX: `ids` (default, can be imported again) or `texts`. */
                labels?: "ids" | "texts";
                /** @description Language of `texts` and of the codebook, a language tag (default: the first language of the survey). A text without a translation is in the first language that it has. */
                display_language?: string;
                /** @description Put an apostrophe before signs in CSV with which a spreadsheet could begin a formula (default true). XLSX files have no such apostrophes. If you set it to false, import the file with `unmask=false`. */
                mask_formulas?: boolean;
                /** @description Text for CSV and XLSX cells of questions that the respondent never saw, such as `-99`. Logic hid them, or the version does not have them. By default, they are empty like those without an answer. Such a file cannot be imported again. */
                not_shown?: string;
                /** @description Only responses with exactly this external id. */
                external_id?: string;
                /** @description Only responses for which these conditions hold. They apply in addition to the other filters. */
                where?: string;
            };
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Names the file. */
                    "Content-Disposition"?: string;
                    /** @description Number of responses at the start of the export, to show progress. Responses that arrive or are deleted meanwhile make a difference. With conditions, it is the last count of them, if there is one. */
                    "X-Total-Count"?: string;
                    /** @description Number of responses that match the other filters, and whose version lacks a question of the conditions. Absent without conditions, or if counting takes long. */
                    "X-Lacking-Question"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id,status,satisfaction,comment
                     *     0199a204-5f3b-7d62-8a90-c1b2d3e4f506,completed,happy,"More soup, please."
                     */
                    "*/*": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportResponsesByQuery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "where": {
                 *         "conditions": [
                 *           {
                 *             "source_question": "satisfaction",
                 *             "operator": "equals",
                 *             "value": "unhappy"
                 *           }
                 *         ]
                 *       },
                 *       "format": "csv"
                 *     }
                 */
                "application/json": components["schemas"]["ExportResponsesRequest"];
            };
        };
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Names the file. */
                    "Content-Disposition"?: string;
                    /** @description Number of responses at the start of the export, to show progress. Responses that arrive or are deleted meanwhile make a difference. With conditions, it is the last count of them, if there is one. */
                    "X-Total-Count"?: string;
                    /** @description Number of responses that match the other filters, and whose version lacks a question of the conditions. Absent without conditions, or if counting takes long. */
                    "X-Lacking-Question"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id,status,satisfaction,comment
                     *     0199a204-5f3b-7d62-8a90-c1b2d3e4f506,completed,happy,"More soup, please."
                     */
                    "*/*": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportCodebook: {
        parameters: {
            query?: {
                /** @description `csv` (default) or `json` (an array). */
                format?: "csv" | "json";
                /** @description Language of titles and texts, a language tag (default: the first language of the survey). A text without a translation is in the first language that it has. */
                display_language?: string;
                /** @description Put an apostrophe before signs in CSV with which a spreadsheet could begin a formula (default true). */
                mask_formulas?: boolean;
                /** @description The conditions of an export. The last entry, of the type `conditions`, has them in words. They select no columns. */
                where?: string;
            };
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Names the file. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example column,question_id,title,type,row_id,row_text,option_id,option_text,required,page,versions
                     *     satisfaction,satisfaction,How satisfied are you?,single_choice,,,happy,Happy,true,1,1 2
                     */
                    "*/*": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportCodebookByQuery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "where": {
                 *         "conditions": [
                 *           {
                 *             "source_question": "satisfaction",
                 *             "operator": "equals",
                 *             "value": "unhappy"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ExportCodebookRequest"];
            };
        };
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Names the file. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example column,question_id,title,type,row_id,row_text,option_id,option_text,required,page,versions
                     *     satisfaction,satisfaction,How satisfied are you?,single_choice,,,happy,Happy,true,1,1 2
                     */
                    "*/*": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the file. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Names the file. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["FileNotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSummary: {
        parameters: {
            query?: {
                /** @description Time zone of days and intervals, a name of the IANA database (default UTC). */
                tz?: string;
                /** @description Adds `timeline` with intervals of this length. Weeks begin on Monday. */
                interval?: "hour" | "day" | "week";
                /** @description Language of titles and texts (default: the first one of the survey). A missing translation is replaced by that of the next language of the survey. */
                display_language?: string;
                /** @description Only responses in this state. Without it, answers are counted for completed responses only. */
                status?: components["schemas"]["ResponseStatus"];
                /** @description Only responses that came through this link. */
                link_id?: string;
                /** @description Only responses in this language: as it is spelled here, or in the nearest language that the latest version declares (`de` for `de_AT`). */
                language?: string;
                /** @description Only responses to this version of the survey. */
                version?: number;
                /** @description Only responses created at this time or later. */
                since?: string;
                /** @description Only responses created before this time. */
                until?: string;
                /** @description Only responses completed or disqualified at this time or later. */
                completed_since?: string;
                /** @description Only responses completed or disqualified before this time. */
                completed_until?: string;
                /** @description Lowest version that the summary must know, such as the `version` in the reply to a publication. If it cannot be read within two seconds, you get 503. Without it, a version published less than two seconds ago can be missing. */
                at_least_version?: number;
                /** @description Only responses with exactly this external id. */
                external_id?: string;
                /** @description Only responses for which these conditions hold. They apply in addition to the other filters. */
                where?: string;
                /** @description Adds `grouping`, and to questions and rows `crosstab`: the answers of each group of responses with the same link (`link`), language (`language`) or member of the metadata (`metadata.NAME`, compared as text). Not together with `by_question`. */
                by?: string;
                /** @description As `by`, for groups of responses with the same answer to this question. It is a `single_choice`, a `multiple_choice`, a `likert` without rows, or a `rating` with at most 101 values. Hidden counts as not answered. */
                by_question?: string;
                /** @description Hides counts of groups from 1 to below this number, and others that reveal them together with sums. It makes a display discreet. It does not protect: requests with other filters can still reveal the counts, and members outside of `grouping` and `crosstab` hide nothing, such as the `options` of the question of `by_question`, which are the sizes of its groups. If many counts are small, all cells of a table can be hidden. */
                min_cell?: number;
            };
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Summary of the responses to a survey. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "responses": 128,
                     *       "lacking_question": 0,
                     *       "grouping": {
                     *         "by": "language",
                     *         "groups": [
                     *           {
                     *             "kind": "value",
                     *             "value": "en",
                     *             "responses": 80
                     *           },
                     *           {
                     *             "kind": "value",
                     *             "value": "de",
                     *             "responses": 48
                     *           }
                     *         ],
                     *         "overlapping": false,
                     *         "more_values": false
                     *       },
                     *       "by_day": [
                     *         {
                     *           "day": "2025-10-01",
                     *           "count": 90
                     *         },
                     *         {
                     *           "day": "2025-10-02",
                     *           "count": 38
                     *         }
                     *       ],
                     *       "questions": [
                     *         {
                     *           "question_id": "satisfaction",
                     *           "type": "single_choice",
                     *           "answered": 128,
                     *           "skipped": 0,
                     *           "options": [
                     *             {
                     *               "id": "happy",
                     *               "count": 96,
                     *               "share": 0.75,
                     *               "text": "Happy"
                     *             },
                     *             {
                     *               "id": "unhappy",
                     *               "count": 32,
                     *               "share": 0.25,
                     *               "text": "Unhappy"
                     *             }
                     *           ],
                     *           "rows": [],
                     *           "title": "How satisfied are you with the canteen?",
                     *           "page": 1,
                     *           "versions": [
                     *             2,
                     *             1
                     *           ],
                     *           "other_versions": [],
                     *           "shown": 128,
                     *           "unanswered": 0,
                     *           "not_shown": 0,
                     *           "histogram": [],
                     *           "periods": [],
                     *           "columns": [],
                     *           "crosstab": {
                     *             "groups": [
                     *               {
                     *                 "answered": 80,
                     *                 "answered_share": 0.625,
                     *                 "unanswered": 0,
                     *                 "not_shown": 0,
                     *                 "cells": [
                     *                   {
                     *                     "count": 66,
                     *                     "row_share": 0.6875,
                     *                     "column_share": 0.825
                     *                   },
                     *                   {
                     *                     "count": 14,
                     *                     "row_share": 0.4375,
                     *                     "column_share": 0.175
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "answered": 48,
                     *                 "answered_share": 0.375,
                     *                 "unanswered": 0,
                     *                 "not_shown": 0,
                     *                 "cells": [
                     *                   {
                     *                     "count": 30,
                     *                     "row_share": 0.3125,
                     *                     "column_share": 0.625
                     *                   },
                     *                   {
                     *                     "count": 18,
                     *                     "row_share": 0.5625,
                     *                     "column_share": 0.375
                     *                   }
                     *                 ]
                     *               }
                     *             ],
                     *             "test": {
                     *               "chi_squared": 6.4,
                     *               "degrees_of_freedom": 1,
                     *               "p": 0.011412036386001636,
                     *               "cramers_v": 0.22360679774997896
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "question_id": "recommend",
                     *           "type": "rating",
                     *           "answered": 100,
                     *           "skipped": 28,
                     *           "options": [],
                     *           "mean": 8.7,
                     *           "median": 9,
                     *           "stddev": 1.1,
                     *           "min": 6,
                     *           "max": 10,
                     *           "rows": [],
                     *           "title": "Would you recommend the canteen?",
                     *           "page": 1,
                     *           "versions": [
                     *             2
                     *           ],
                     *           "other_versions": [],
                     *           "shown": 110,
                     *           "unanswered": 10,
                     *           "not_shown": 18,
                     *           "histogram": [
                     *             {
                     *               "from": 0,
                     *               "to": 0,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 1,
                     *               "to": 1,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 2,
                     *               "to": 2,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 3,
                     *               "to": 3,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 4,
                     *               "to": 4,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 5,
                     *               "to": 5,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 6,
                     *               "to": 6,
                     *               "count": 5
                     *             },
                     *             {
                     *               "from": 7,
                     *               "to": 7,
                     *               "count": 10
                     *             },
                     *             {
                     *               "from": 8,
                     *               "to": 8,
                     *               "count": 20
                     *             },
                     *             {
                     *               "from": 9,
                     *               "to": 9,
                     *               "count": 40
                     *             },
                     *             {
                     *               "from": 10,
                     *               "to": 10,
                     *               "count": 25
                     *             }
                     *           ],
                     *           "nps": {
                     *             "promoters": 65,
                     *             "passives": 30,
                     *             "detractors": 5,
                     *             "score": 60
                     *           },
                     *           "periods": [],
                     *           "columns": [],
                     *           "crosstab": {
                     *             "groups": [
                     *               {
                     *                 "answered": 60,
                     *                 "answered_share": 0.6,
                     *                 "unanswered": 5,
                     *                 "not_shown": 15,
                     *                 "cells": [
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 3,
                     *                     "row_share": 0.6,
                     *                     "column_share": 0.05
                     *                   },
                     *                   {
                     *                     "count": 6,
                     *                     "row_share": 0.6,
                     *                     "column_share": 0.1
                     *                   },
                     *                   {
                     *                     "count": 10,
                     *                     "row_share": 0.5,
                     *                     "column_share": 0.1667
                     *                   },
                     *                   {
                     *                     "count": 26,
                     *                     "row_share": 0.65,
                     *                     "column_share": 0.4333
                     *                   },
                     *                   {
                     *                     "count": 15,
                     *                     "row_share": 0.6,
                     *                     "column_share": 0.25
                     *                   }
                     *                 ],
                     *                 "mean": 8.7333,
                     *                 "mean_interval": {
                     *                   "low": 8.4485,
                     *                   "high": 9.0182
                     *                 },
                     *                 "median": 9,
                     *                 "nps": {
                     *                   "promoters": 41,
                     *                   "passives": 16,
                     *                   "detractors": 3,
                     *                   "score": 63.3333
                     *                 }
                     *               },
                     *               {
                     *                 "answered": 40,
                     *                 "answered_share": 0.4,
                     *                 "unanswered": 5,
                     *                 "not_shown": 3,
                     *                 "cells": [
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 2,
                     *                     "row_share": 0.4,
                     *                     "column_share": 0.05
                     *                   },
                     *                   {
                     *                     "count": 4,
                     *                     "row_share": 0.4,
                     *                     "column_share": 0.1
                     *                   },
                     *                   {
                     *                     "count": 10,
                     *                     "row_share": 0.5,
                     *                     "column_share": 0.25
                     *                   },
                     *                   {
                     *                     "count": 14,
                     *                     "row_share": 0.35,
                     *                     "column_share": 0.35
                     *                   },
                     *                   {
                     *                     "count": 10,
                     *                     "row_share": 0.4,
                     *                     "column_share": 0.25
                     *                   }
                     *                 ],
                     *                 "mean": 8.65,
                     *                 "mean_interval": {
                     *                   "low": 8.2912,
                     *                   "high": 9.0088
                     *                 },
                     *                 "median": 9,
                     *                 "nps": {
                     *                   "promoters": 24,
                     *                   "passives": 14,
                     *                   "detractors": 2,
                     *                   "score": 55
                     *                 }
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "drop_off": [
                     *         {
                     *           "question_id": "satisfaction",
                     *           "count": 3,
                     *           "abandoned": 2,
                     *           "disqualified": 0
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "start": "2025-10-01",
                     *           "started": 92,
                     *           "completed": 90,
                     *           "disqualified": 0
                     *         },
                     *         {
                     *           "start": "2025-10-02",
                     *           "started": 39,
                     *           "completed": 38,
                     *           "disqualified": 0
                     *         }
                     *       ],
                     *       "versions": [
                     *         2,
                     *         1
                     *       ],
                     *       "survey_version": 2,
                     *       "pages": [
                     *         {
                     *           "page": 1,
                     *           "title": "Lunch",
                     *           "reached": 131,
                     *           "stopped": 3
                     *         }
                     *       ],
                     *       "completion": {
                     *         "started": 131,
                     *         "completed": 128,
                     *         "disqualified": 0,
                     *         "in_progress": 1,
                     *         "abandoned": 2,
                     *         "median_seconds": 84
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SurveySummary"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSummaryByQuery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "where": {
                 *         "conditions": [
                 *           {
                 *             "source_question": "satisfaction",
                 *             "operator": "equals",
                 *             "value": "unhappy"
                 *           }
                 *         ]
                 *       },
                 *       "tz": "Europe/Vienna",
                 *       "by_question": "satisfaction",
                 *       "min_cell": 5
                 *     }
                 */
                "application/json": components["schemas"]["GetSummaryRequest"];
            };
        };
        responses: {
            /** @description Summary of the responses to a survey. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "responses": 128,
                     *       "lacking_question": 0,
                     *       "grouping": {
                     *         "by": "language",
                     *         "groups": [
                     *           {
                     *             "kind": "value",
                     *             "value": "en",
                     *             "responses": 80
                     *           },
                     *           {
                     *             "kind": "value",
                     *             "value": "de",
                     *             "responses": 48
                     *           }
                     *         ],
                     *         "overlapping": false,
                     *         "more_values": false
                     *       },
                     *       "by_day": [
                     *         {
                     *           "day": "2025-10-01",
                     *           "count": 90
                     *         },
                     *         {
                     *           "day": "2025-10-02",
                     *           "count": 38
                     *         }
                     *       ],
                     *       "questions": [
                     *         {
                     *           "question_id": "satisfaction",
                     *           "type": "single_choice",
                     *           "answered": 128,
                     *           "skipped": 0,
                     *           "options": [
                     *             {
                     *               "id": "happy",
                     *               "count": 96,
                     *               "share": 0.75,
                     *               "text": "Happy"
                     *             },
                     *             {
                     *               "id": "unhappy",
                     *               "count": 32,
                     *               "share": 0.25,
                     *               "text": "Unhappy"
                     *             }
                     *           ],
                     *           "rows": [],
                     *           "title": "How satisfied are you with the canteen?",
                     *           "page": 1,
                     *           "versions": [
                     *             2,
                     *             1
                     *           ],
                     *           "other_versions": [],
                     *           "shown": 128,
                     *           "unanswered": 0,
                     *           "not_shown": 0,
                     *           "histogram": [],
                     *           "periods": [],
                     *           "columns": [],
                     *           "crosstab": {
                     *             "groups": [
                     *               {
                     *                 "answered": 80,
                     *                 "answered_share": 0.625,
                     *                 "unanswered": 0,
                     *                 "not_shown": 0,
                     *                 "cells": [
                     *                   {
                     *                     "count": 66,
                     *                     "row_share": 0.6875,
                     *                     "column_share": 0.825
                     *                   },
                     *                   {
                     *                     "count": 14,
                     *                     "row_share": 0.4375,
                     *                     "column_share": 0.175
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "answered": 48,
                     *                 "answered_share": 0.375,
                     *                 "unanswered": 0,
                     *                 "not_shown": 0,
                     *                 "cells": [
                     *                   {
                     *                     "count": 30,
                     *                     "row_share": 0.3125,
                     *                     "column_share": 0.625
                     *                   },
                     *                   {
                     *                     "count": 18,
                     *                     "row_share": 0.5625,
                     *                     "column_share": 0.375
                     *                   }
                     *                 ]
                     *               }
                     *             ],
                     *             "test": {
                     *               "chi_squared": 6.4,
                     *               "degrees_of_freedom": 1,
                     *               "p": 0.011412036386001636,
                     *               "cramers_v": 0.22360679774997896
                     *             }
                     *           }
                     *         },
                     *         {
                     *           "question_id": "recommend",
                     *           "type": "rating",
                     *           "answered": 100,
                     *           "skipped": 28,
                     *           "options": [],
                     *           "mean": 8.7,
                     *           "median": 9,
                     *           "stddev": 1.1,
                     *           "min": 6,
                     *           "max": 10,
                     *           "rows": [],
                     *           "title": "Would you recommend the canteen?",
                     *           "page": 1,
                     *           "versions": [
                     *             2
                     *           ],
                     *           "other_versions": [],
                     *           "shown": 110,
                     *           "unanswered": 10,
                     *           "not_shown": 18,
                     *           "histogram": [
                     *             {
                     *               "from": 0,
                     *               "to": 0,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 1,
                     *               "to": 1,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 2,
                     *               "to": 2,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 3,
                     *               "to": 3,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 4,
                     *               "to": 4,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 5,
                     *               "to": 5,
                     *               "count": 0
                     *             },
                     *             {
                     *               "from": 6,
                     *               "to": 6,
                     *               "count": 5
                     *             },
                     *             {
                     *               "from": 7,
                     *               "to": 7,
                     *               "count": 10
                     *             },
                     *             {
                     *               "from": 8,
                     *               "to": 8,
                     *               "count": 20
                     *             },
                     *             {
                     *               "from": 9,
                     *               "to": 9,
                     *               "count": 40
                     *             },
                     *             {
                     *               "from": 10,
                     *               "to": 10,
                     *               "count": 25
                     *             }
                     *           ],
                     *           "nps": {
                     *             "promoters": 65,
                     *             "passives": 30,
                     *             "detractors": 5,
                     *             "score": 60
                     *           },
                     *           "periods": [],
                     *           "columns": [],
                     *           "crosstab": {
                     *             "groups": [
                     *               {
                     *                 "answered": 60,
                     *                 "answered_share": 0.6,
                     *                 "unanswered": 5,
                     *                 "not_shown": 15,
                     *                 "cells": [
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 3,
                     *                     "row_share": 0.6,
                     *                     "column_share": 0.05
                     *                   },
                     *                   {
                     *                     "count": 6,
                     *                     "row_share": 0.6,
                     *                     "column_share": 0.1
                     *                   },
                     *                   {
                     *                     "count": 10,
                     *                     "row_share": 0.5,
                     *                     "column_share": 0.1667
                     *                   },
                     *                   {
                     *                     "count": 26,
                     *                     "row_share": 0.65,
                     *                     "column_share": 0.4333
                     *                   },
                     *                   {
                     *                     "count": 15,
                     *                     "row_share": 0.6,
                     *                     "column_share": 0.25
                     *                   }
                     *                 ],
                     *                 "mean": 8.7333,
                     *                 "mean_interval": {
                     *                   "low": 8.4485,
                     *                   "high": 9.0182
                     *                 },
                     *                 "median": 9,
                     *                 "nps": {
                     *                   "promoters": 41,
                     *                   "passives": 16,
                     *                   "detractors": 3,
                     *                   "score": 63.3333
                     *                 }
                     *               },
                     *               {
                     *                 "answered": 40,
                     *                 "answered_share": 0.4,
                     *                 "unanswered": 5,
                     *                 "not_shown": 3,
                     *                 "cells": [
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 0,
                     *                     "column_share": 0
                     *                   },
                     *                   {
                     *                     "count": 2,
                     *                     "row_share": 0.4,
                     *                     "column_share": 0.05
                     *                   },
                     *                   {
                     *                     "count": 4,
                     *                     "row_share": 0.4,
                     *                     "column_share": 0.1
                     *                   },
                     *                   {
                     *                     "count": 10,
                     *                     "row_share": 0.5,
                     *                     "column_share": 0.25
                     *                   },
                     *                   {
                     *                     "count": 14,
                     *                     "row_share": 0.35,
                     *                     "column_share": 0.35
                     *                   },
                     *                   {
                     *                     "count": 10,
                     *                     "row_share": 0.4,
                     *                     "column_share": 0.25
                     *                   }
                     *                 ],
                     *                 "mean": 8.65,
                     *                 "mean_interval": {
                     *                   "low": 8.2912,
                     *                   "high": 9.0088
                     *                 },
                     *                 "median": 9,
                     *                 "nps": {
                     *                   "promoters": 24,
                     *                   "passives": 14,
                     *                   "detractors": 2,
                     *                   "score": 55
                     *                 }
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "drop_off": [
                     *         {
                     *           "question_id": "satisfaction",
                     *           "count": 3,
                     *           "abandoned": 2,
                     *           "disqualified": 0
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "start": "2025-10-01",
                     *           "started": 92,
                     *           "completed": 90,
                     *           "disqualified": 0
                     *         },
                     *         {
                     *           "start": "2025-10-02",
                     *           "started": 39,
                     *           "completed": 38,
                     *           "disqualified": 0
                     *         }
                     *       ],
                     *       "versions": [
                     *         2,
                     *         1
                     *       ],
                     *       "survey_version": 2,
                     *       "pages": [
                     *         {
                     *           "page": 1,
                     *           "title": "Lunch",
                     *           "reached": 131,
                     *           "stopped": 3
                     *         }
                     *       ],
                     *       "completion": {
                     *         "started": 131,
                     *         "completed": 128,
                     *         "disqualified": 0,
                     *         "in_progress": 1,
                     *         "abandoned": 2,
                     *         "median_seconds": 84
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SurveySummary"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAnswers: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Only responses in this state. */
                status?: components["schemas"]["ResponseStatus"];
                /** @description Only responses that came through this link. */
                link_id?: string;
                /** @description Only responses in this language: as it is spelled here, or in the nearest language that the latest version declares (`de` for `de_AT`). */
                language?: string;
                /** @description Only responses to this version of the survey. */
                version?: number;
                /** @description Only responses created at this time or later. */
                since?: string;
                /** @description Only responses created before this time. */
                until?: string;
                /** @description Only responses completed or disqualified at this time or later. */
                completed_since?: string;
                /** @description Only responses completed or disqualified before this time. */
                completed_until?: string;
                /** @description `desc` (default, newest first) or `asc`. */
                order?: "asc" | "desc";
                /** @description Only responses with exactly this external id. */
                external_id?: string;
                /** @description Only responses for which these conditions hold. They apply in addition to the other filters. */
                where?: string;
            };
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
                /** @description The question. */
                question_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of answers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Number of responses read for the page whose version lacks a question of the conditions. Absent without conditions. */
                    "X-Lacking-Question"?: string;
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "response_id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *         "created_at": "2025-10-01T11:45:10.120Z",
                     *         "status": "completed",
                     *         "survey_version": 1,
                     *         "answer": [
                     *           {
                     *             "file_id": "0199a205-0b7c-7f21-9e88-0a1b2c3d4e5f"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Answer"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAnswersByQuery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The survey. */
                survey_id: string;
                /** @description The question. */
                question_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "where": {
                 *         "conditions": [
                 *           {
                 *             "source_question": "satisfaction",
                 *             "operator": "equals",
                 *             "value": "unhappy"
                 *           }
                 *         ]
                 *       },
                 *       "limit": 20
                 *     }
                 */
                "application/json": components["schemas"]["ListAnswersRequest"];
            };
        };
        responses: {
            /** @description A page of answers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description Number of responses read for the page whose version lacks a question of the conditions. Absent without conditions. */
                    "X-Lacking-Question"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "answers": [
                     *         {
                     *           "response_id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *           "created_at": "2025-10-01T11:45:10.120Z",
                     *           "status": "completed",
                     *           "survey_version": 1,
                     *           "answer": [
                     *             {
                     *               "file_id": "0199a205-0b7c-7f21-9e88-0a1b2c3d4e5f"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": "",
                     *       "scanned": 128,
                     *       "complete": true,
                     *       "lacking_question": 0
                     *     }
                     */
                    "application/json": components["schemas"]["AnswerPage"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    importSurvey: {
        parameters: {
            query?: {
                /** @description If the body is a file: Tool that the file comes from. */
                source?: "custom" | "typeform" | "surveymonkey" | "google_forms" | "microsoft_forms" | "qualtrics" | "limesurvey" | "formbricks" | "surveyjs" | "xlsform" | "table";
                /** @description If the body is a file: Format of the file, supported by the source. */
                format?: "json" | "csv" | "qsf" | "lss" | "lsa" | "tsv" | "xlsx";
                /** @description If the body is a file: Keep the ids of questions, options and responses (default true). A response id that is not a UUID, or that another response has, becomes the `external_id`, and a UUID is derived from it. So importing a file twice into a survey stores nothing twice. */
                preserve_ids?: boolean;
                /** @description If the body is a file: Reject a survey whose definition has errors (default true); otherwise report them as warnings. */
                validate_logic?: boolean;
                /** @description If the body is a file: Import the responses in the file (default true). */
                import_responses?: boolean;
                /** @description If the body is a file: Title of the survey, if the file has none. */
                title?: string;
                /** @description If the body is a file: Language of the survey, if the file has none (default `en`). */
                language?: string;
                /** @description If the body is a file: Return the report without storing anything (default false). */
                dry_run?: boolean;
                /** @description If the body is a file: Send events of the imported responses to webhooks (default true). */
                emit_events?: boolean;
                /** @description If the body is a file: Character encoding of a table (CSV), such as `windows-1252` (default: detected; a byte order mark wins). */
                encoding?: string;
                /** @description If the body is a file: Character between the cells of a table, such as `;`, or `tab` (default: a line such as `sep=;` in the file, or detected). No effect on workbooks. */
                separator?: string;
                /** @description If the body is a file: Locale of dates and decimals in a table, such as `de` (default: found by column; the import asks if two readings are possible). */
                locale?: string;
                /** @description If the body is a file: Order of dates in a table, such as `DD/MM/YYYY`. Wins over `locale`. Years with two digits need `YY`. */
                date_format?: string;
                /** @description If the body is a file: Decimal separator in a table. Wins over `locale`. */
                decimal?: "" | "." | ",";
                /** @description If the body is a file: Targets of columns of a table, by heading, or by `#3` for the third column: `{"Timestamp": "submitted_at", "How was it?": "q3", "Notes": ""}`. A target is a column of an export (`q3`, `q3[row]`), a detail of the response (`id`, `submitted_at`, `started_at`, `status`, `language`, `external_id`), or `metadata.NAME`. Empty excludes a column. In a query, the parameter is JSON. */
                columns?: string;
                /** @description If the body is a file: Zone of times of responses that have none in the file, such as `Europe/Berlin`, a name of the IANA database (default: UTC, with a warning). */
                time_zone?: string;
                /** @description If the body is a file: Answers that do not fit their question: `keep` moves them to `invalid_answers` of the response's metadata, `blank` removes them, `reject` rejects the response (default: `reject` for the source `custom`, `keep` for others). With `keep` and `blank`, valid rows and choices of such an answer are stored, if they are a valid answer of their own. A finished response with values of which none fits as an answer is rejected with `NO_ANSWERS` in all cases. */
                on_invalid_answer?: "" | "keep" | "reject" | "blank";
                /** @description If the body is a file: Unfinished responses: stored as `in_progress` (default), as `completed`, or not at all (`leave_out`). */
                partial_responses?: "" | "in_progress" | "completed" | "leave_out";
                /** @description If the body is a file: Import responses that the tool marks as previews, tests or spam (default false). */
                include_tests?: boolean;
                /** @description If the body is a file: Name of the file. It becomes the title, if there is no other. */
                filename?: string;
            };
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async` for a job in any case; `wait` with seconds for how long to wait for its end (RFC 7240). */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": "custom",
                 *       "format": "json",
                 *       "data": {
                 *         "survey": {
                 *           "title": "Canteen, spring",
                 *           "questions": [
                 *             {
                 *               "id": "satisfaction",
                 *               "type": "single_choice",
                 *               "title": "How satisfied are you with the canteen?",
                 *               "options": [
                 *                 "Happy",
                 *                 "Unhappy"
                 *               ]
                 *             }
                 *           ]
                 *         }
                 *       },
                 *       "options": {
                 *         "validate_logic": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ImportSurveyRequest"];
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done, nothing created. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "schema_version": "1.0",
                     *       "version": 1,
                     *       "status": "draft",
                     *       "created_at": "2025-09-30T08:15:00.000Z",
                     *       "updated_at": "2025-09-30T08:15:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "settings": {
                     *         "closes_at": "2036-10-31T23:00:00.000Z",
                     *         "access": "open",
                     *         "languages": [],
                     *         "metadata_fields": [
                     *           {
                     *             "name": "campaign",
                     *             "type": "string",
                     *             "max_length": 100,
                     *             "from": [
                     *               "url",
                     *               "link"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "has_draft": false,
                     *       "import": {
                     *         "id": "0199a230-44d5-7a6b-8c7d-9e0f1a2b3c4d",
                     *         "source": "custom",
                     *         "format": "json",
                     *         "status": "completed",
                     *         "total": 0,
                     *         "imported": 0,
                     *         "imported_in_part": 0,
                     *         "skipped": 0,
                     *         "failed": 0,
                     *         "left_out": 0,
                     *         "questions": 1,
                     *         "warnings": [],
                     *         "errors": [],
                     *         "omissions": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"] | components["schemas"]["ImportJob"];
                };
            };
            /** @description The imported survey. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "definition": {
                     *         "title": "Canteen, autumn",
                     *         "supported_languages": [
                     *           "en"
                     *         ],
                     *         "pages": [
                     *           {
                     *             "questions": [
                     *               {
                     *                 "id": "satisfaction",
                     *                 "type": "single_choice",
                     *                 "title": "How satisfied are you with the canteen?",
                     *                 "required": true,
                     *                 "options": [
                     *                   {
                     *                     "id": "happy",
                     *                     "text": "Happy"
                     *                   },
                     *                   {
                     *                     "id": "unhappy",
                     *                     "text": "Unhappy"
                     *                   }
                     *                 ]
                     *               },
                     *               {
                     *                 "id": "comment",
                     *                 "type": "textarea",
                     *                 "title": "What should we know?"
                     *               },
                     *               {
                     *                 "id": "receipt",
                     *                 "type": "file_upload",
                     *                 "title": "Your receipt, if you have it"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "schema_version": "1.0",
                     *       "version": 1,
                     *       "status": "draft",
                     *       "created_at": "2025-09-30T08:15:00.000Z",
                     *       "updated_at": "2025-09-30T08:15:00.000Z",
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "updated_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "settings": {
                     *         "closes_at": "2036-10-31T23:00:00.000Z",
                     *         "access": "open",
                     *         "languages": [],
                     *         "metadata_fields": [
                     *           {
                     *             "name": "campaign",
                     *             "type": "string",
                     *             "max_length": 100,
                     *             "from": [
                     *               "url",
                     *               "link"
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "has_draft": false,
                     *       "import": {
                     *         "id": "0199a230-44d5-7a6b-8c7d-9e0f1a2b3c4d",
                     *         "source": "custom",
                     *         "format": "json",
                     *         "status": "completed",
                     *         "total": 0,
                     *         "imported": 0,
                     *         "imported_in_part": 0,
                     *         "skipped": 0,
                     *         "failed": 0,
                     *         "left_out": 0,
                     *         "questions": 1,
                     *         "warnings": [],
                     *         "errors": [],
                     *         "omissions": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    /** @description The URL of the job. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a230-44d5-7a6b-8c7d-9e0f1a2b3c4d",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "source": "custom",
                     *       "format": "csv",
                     *       "status": "running",
                     *       "dry_run": false,
                     *       "progress": {
                     *         "bytes": 8388608,
                     *         "total_bytes": 8388608,
                     *         "rows": 5000,
                     *         "imported": 4990,
                     *         "skipped": 0,
                     *         "failed": 10,
                     *         "imported_in_part": 0,
                     *         "left_out": 0,
                     *         "read": 40000
                     *       },
                     *       "questions": 2,
                     *       "warnings": [],
                     *       "errors": [],
                     *       "omissions": [],
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "created_at": "2025-10-06T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ImportJob"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyKeyReused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_DEFINITION`: The survey definition has errors. Correct what `errors` lists: the codes are in the list of lint codes.
             *
             *     `INVALID_IMPORT`: The import cannot be read. Correct the file at the locations that `errors` lists.
             *
             *     `FILE_TOO_COMPLEX`: The file takes more memory or time to read than is allowed. Split the file, or remove unusual formatting from it.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    importResponses: {
        parameters: {
            query?: {
                /** @description If the body is a file: Format of the file. */
                format?: "json" | "csv" | "ndjson" | "xlsx" | "lsa";
                /** @description If the body is a file: Remove the apostrophe that exports put before formulas (default: if the CSV begins with all columns of an export). */
                unmask?: boolean;
                /** @description If the body is a file: Tool that the file comes from (default `custom`). */
                source?: "" | "custom" | "typeform" | "surveymonkey" | "google_forms" | "microsoft_forms" | "qualtrics" | "limesurvey" | "formbricks" | "surveyjs" | "xlsform" | "table";
                /** @description If the body is a file: Return the report without storing anything (default false). */
                dry_run?: boolean;
                /** @description If the body is a file: Send events of the imported responses to webhooks (default true). */
                emit_events?: boolean;
                /** @description If the body is a file: Character encoding of a table (CSV), such as `windows-1252` (default: detected; a byte order mark wins). */
                encoding?: string;
                /** @description If the body is a file: Character between the cells of a table, such as `;`, or `tab` (default: a line such as `sep=;` in the file, or detected). No effect on workbooks. */
                separator?: string;
                /** @description If the body is a file: Locale of dates and decimals in a table, such as `de` (default: found by column; the import asks if two readings are possible). */
                locale?: string;
                /** @description If the body is a file: Order of dates in a table, such as `DD/MM/YYYY`. Wins over `locale`. Years with two digits need `YY`. */
                date_format?: string;
                /** @description If the body is a file: Decimal separator in a table. Wins over `locale`. */
                decimal?: "" | "." | ",";
                /** @description If the body is a file: Targets of columns of a table, by heading, or by `#3` for the third column: `{"Timestamp": "submitted_at", "How was it?": "q3", "Notes": ""}`. A target is a column of an export (`q3`, `q3[row]`), a detail of the response (`id`, `submitted_at`, `started_at`, `status`, `language`, `external_id`), or `metadata.NAME`. Empty excludes a column. In a query, the parameter is JSON. */
                columns?: string;
                /** @description If the body is a file: Zone of times of responses that have none in the file, such as `Europe/Berlin`, a name of the IANA database (default: UTC, with a warning). */
                time_zone?: string;
                /** @description If the body is a file: Answers that do not fit their question: `keep` moves them to `invalid_answers` of the response's metadata, `blank` removes them, `reject` rejects the response (default: `reject` for the source `custom`, `keep` for others). With `keep` and `blank`, valid rows and choices of such an answer are stored, if they are a valid answer of their own. A finished response with values of which none fits as an answer is rejected with `NO_ANSWERS` in all cases. */
                on_invalid_answer?: "" | "keep" | "reject" | "blank";
                /** @description If the body is a file: Unfinished responses: stored as `in_progress` (default), as `completed`, or not at all (`leave_out`). */
                partial_responses?: "" | "in_progress" | "completed" | "leave_out";
                /** @description If the body is a file: Import responses that the tool marks as previews, tests or spam (default false). */
                include_tests?: boolean;
            };
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async` for a job in any case; `wait` with seconds for how long to wait for its end (RFC 7240). */
                Prefer?: string;
            };
            path: {
                /** @description The survey of the responses. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "format": "json",
                 *       "responses": [
                 *         {
                 *           "id": "R_1",
                 *           "submitted_at": "2025-03-20T12:00:00Z",
                 *           "answers": [
                 *             {
                 *               "question_id": "satisfaction",
                 *               "value": "happy"
                 *             }
                 *           ]
                 *         },
                 *         {
                 *           "id": "R_2",
                 *           "submitted_at": "2025-03-20T12:05:00Z",
                 *           "answers": [
                 *             {
                 *               "question_id": "satisfaction",
                 *               "value": "furious"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ImportResponsesRequest"];
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a230-44d5-7a6b-8c7d-9e0f1a2b3c4d",
                     *       "source": "custom",
                     *       "format": "csv",
                     *       "status": "completed",
                     *       "total": 4,
                     *       "imported": 2,
                     *       "imported_in_part": 1,
                     *       "skipped": 0,
                     *       "failed": 1,
                     *       "left_out": 1,
                     *       "questions": 2,
                     *       "warnings": [],
                     *       "errors": [
                     *         {
                     *           "index": 1,
                     *           "id": "R_2",
                     *           "code": "UNKNOWN_OPTION",
                     *           "detail": "row 3, question satisfaction: the question has no such option",
                     *           "row": 3,
                     *           "column": "satisfaction"
                     *         }
                     *       ],
                     *       "omissions": [
                     *         {
                     *           "column": "comment",
                     *           "code": "TOO_LONG",
                     *           "detail": "the text must have at most 2000 characters",
                     *           "action": "kept",
                     *           "count": 1,
                     *           "examples": [
                     *             {
                     *               "index": 2,
                     *               "row": 4
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ImportReport"] | components["schemas"]["ImportJob"];
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    /** @description The URL of the job. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a230-44d5-7a6b-8c7d-9e0f1a2b3c4d",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "source": "custom",
                     *       "format": "csv",
                     *       "status": "running",
                     *       "dry_run": false,
                     *       "progress": {
                     *         "bytes": 8388608,
                     *         "total_bytes": 8388608,
                     *         "rows": 5000,
                     *         "imported": 4990,
                     *         "skipped": 0,
                     *         "failed": 10,
                     *         "imported_in_part": 0,
                     *         "left_out": 0,
                     *         "read": 40000
                     *       },
                     *       "questions": 2,
                     *       "warnings": [],
                     *       "errors": [],
                     *       "omissions": [],
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "created_at": "2025-10-06T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ImportJob"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyKeyReused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_IMPORT`: The import cannot be read. Correct the file at the locations that `errors` lists.
             *
             *     `FILE_TOO_COMPLEX`: The file takes more memory or time to read than is allowed. Split the file, or remove unusual formatting from it.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    planSurveyImport: {
        parameters: {
            query?: {
                /** @description If the body is a file: Tool that the file comes from (default: guessed). */
                source?: "" | "custom" | "typeform" | "surveymonkey" | "google_forms" | "microsoft_forms" | "qualtrics" | "limesurvey" | "formbricks" | "surveyjs" | "xlsform" | "table";
                /** @description If the body is a file: Format of the file (default: guessed). */
                format?: "" | "json" | "csv" | "qsf" | "lss" | "lsa" | "tsv" | "xlsx";
                /** @description If the body is a file: Keep the ids of questions, options and responses (default true). A response id that is not a UUID, or that another response has, becomes the `external_id`, and a UUID is derived from it. So importing a file twice into a survey stores nothing twice. */
                preserve_ids?: boolean;
                /** @description If the body is a file: Reject a survey whose definition has errors (default true); otherwise report them as warnings. */
                validate_logic?: boolean;
                /** @description If the body is a file: Import the responses in the file (default true). */
                import_responses?: boolean;
                /** @description If the body is a file: Title of the survey, if the file has none. */
                title?: string;
                /** @description If the body is a file: Language of the survey, if the file has none (default `en`). */
                language?: string;
                /** @description If the body is a file: Return the report without storing anything (default false). */
                dry_run?: boolean;
                /** @description If the body is a file: Send events of the imported responses to webhooks (default true). */
                emit_events?: boolean;
                /** @description If the body is a file: Character encoding of a table (CSV), such as `windows-1252` (default: detected; a byte order mark wins). */
                encoding?: string;
                /** @description If the body is a file: Character between the cells of a table, such as `;`, or `tab` (default: a line such as `sep=;` in the file, or detected). No effect on workbooks. */
                separator?: string;
                /** @description If the body is a file: Locale of dates and decimals in a table, such as `de` (default: found by column; the import asks if two readings are possible). */
                locale?: string;
                /** @description If the body is a file: Order of dates in a table, such as `DD/MM/YYYY`. Wins over `locale`. Years with two digits need `YY`. */
                date_format?: string;
                /** @description If the body is a file: Decimal separator in a table. Wins over `locale`. */
                decimal?: "" | "." | ",";
                /** @description If the body is a file: Targets of columns of a table, by heading, or by `#3` for the third column: `{"Timestamp": "submitted_at", "How was it?": "q3", "Notes": ""}`. A target is a column of an export (`q3`, `q3[row]`), a detail of the response (`id`, `submitted_at`, `started_at`, `status`, `language`, `external_id`), or `metadata.NAME`. Empty excludes a column. In a query, the parameter is JSON. */
                columns?: string;
                /** @description If the body is a file: Zone of times of responses that have none in the file, such as `Europe/Berlin`, a name of the IANA database (default: UTC, with a warning). */
                time_zone?: string;
                /** @description If the body is a file: Answers that do not fit their question: `keep` moves them to `invalid_answers` of the response's metadata, `blank` removes them, `reject` rejects the response (default: `reject` for the source `custom`, `keep` for others). With `keep` and `blank`, valid rows and choices of such an answer are stored, if they are a valid answer of their own. A finished response with values of which none fits as an answer is rejected with `NO_ANSWERS` in all cases. */
                on_invalid_answer?: "" | "keep" | "reject" | "blank";
                /** @description If the body is a file: Unfinished responses: stored as `in_progress` (default), as `completed`, or not at all (`leave_out`). */
                partial_responses?: "" | "in_progress" | "completed" | "leave_out";
                /** @description If the body is a file: Import responses that the tool marks as previews, tests or spam (default false). */
                include_tests?: boolean;
                /** @description If the body is a file: Name of the file. */
                filename?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": "table",
                 *       "format": "csv",
                 *       "data": "Timestamp,How was it?\n2026-03-02 12:10,4\n"
                 *     }
                 */
                "application/json": components["schemas"]["PlanSurveyImportRequest"];
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "source": "table",
                     *       "format": "csv",
                     *       "dialect": "separator \",\", encoding utf-8",
                     *       "is_partial": false,
                     *       "rows": 1,
                     *       "columns": [
                     *         {
                     *           "column": 2,
                     *           "heading": "How was it?",
                     *           "target": "text",
                     *           "question_id": "How_was_it",
                     *           "found_by": "values",
                     *           "confidence": 0.9,
                     *           "contents": {
                     *             "number": 1
                     *           },
                     *           "problems": [],
                     *           "suggestion": ""
                     *         }
                     *       ],
                     *       "targets": [
                     *         {
                     *           "name": "text",
                     *           "title": ""
                     *         }
                     *       ],
                     *       "problems": [],
                     *       "warnings": [],
                     *       "suggestions": []
                     *     }
                     */
                    "application/json": components["schemas"]["ImportPlan"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_IMPORT`: The import cannot be read. Correct the file at the locations that `errors` lists.
             *
             *     `FILE_TOO_COMPLEX`: The file takes more memory or time to read than is allowed. Split the file, or remove unusual formatting from it.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    planResponseImport: {
        parameters: {
            query?: {
                /** @description If the body is a file: Format of the file (default: guessed). */
                format?: "" | "json" | "csv" | "ndjson" | "xlsx" | "lsa";
                /** @description If the body is a file: Remove the apostrophe that exports put before formulas (default: if the CSV begins with all columns of an export). */
                unmask?: boolean;
                /** @description If the body is a file: Tool that the file comes from (default: guessed). */
                source?: "" | "custom" | "typeform" | "surveymonkey" | "google_forms" | "microsoft_forms" | "qualtrics" | "limesurvey" | "formbricks" | "surveyjs" | "xlsform" | "table";
                /** @description If the body is a file: Name of the file. */
                filename?: string;
                /** @description If the body is a file: Character encoding of a table (CSV), such as `windows-1252` (default: detected; a byte order mark wins). */
                encoding?: string;
                /** @description If the body is a file: Character between the cells of a table, such as `;`, or `tab` (default: a line such as `sep=;` in the file, or detected). No effect on workbooks. */
                separator?: string;
                /** @description If the body is a file: Locale of dates and decimals in a table, such as `de` (default: found by column; the import asks if two readings are possible). */
                locale?: string;
                /** @description If the body is a file: Order of dates in a table, such as `DD/MM/YYYY`. Wins over `locale`. Years with two digits need `YY`. */
                date_format?: string;
                /** @description If the body is a file: Decimal separator in a table. Wins over `locale`. */
                decimal?: "" | "." | ",";
                /** @description If the body is a file: Targets of columns of a table, by heading, or by `#3` for the third column: `{"Timestamp": "submitted_at", "How was it?": "q3", "Notes": ""}`. A target is a column of an export (`q3`, `q3[row]`), a detail of the response (`id`, `submitted_at`, `started_at`, `status`, `language`, `external_id`), or `metadata.NAME`. Empty excludes a column. In a query, the parameter is JSON. */
                columns?: string;
                /** @description If the body is a file: Zone of times of responses that have none in the file, such as `Europe/Berlin`, a name of the IANA database (default: UTC, with a warning). */
                time_zone?: string;
            };
            header?: never;
            path: {
                /** @description The survey of the responses. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "format": "csv",
                 *       "responses": "Timestamp,satisfaction\n2026-03-02T12:10:00Z,Happy\n"
                 *     }
                 */
                "application/json": components["schemas"]["PlanResponseImportRequest"];
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "source": "custom",
                     *       "format": "csv",
                     *       "dialect": "separator \",\", encoding utf-8",
                     *       "is_partial": false,
                     *       "rows": 1,
                     *       "columns": [
                     *         {
                     *           "column": 1,
                     *           "heading": "Timestamp",
                     *           "target": "",
                     *           "question_id": "",
                     *           "found_by": "",
                     *           "confidence": 0,
                     *           "contents": {
                     *             "timestamp": 1
                     *           },
                     *           "problems": [],
                     *           "suggestion": "submitted_at"
                     *         }
                     *       ],
                     *       "targets": [
                     *         {
                     *           "name": "submitted_at",
                     *           "title": ""
                     *         }
                     *       ],
                     *       "problems": [],
                     *       "warnings": [],
                     *       "suggestions": [
                     *         {
                     *           "name": "columns",
                     *           "values": [
                     *             "{\"Timestamp\":\"submitted_at\"}"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ImportPlan"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["SurveyNotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `INVALID_IMPORT`: The import cannot be read. Correct the file at the locations that `errors` lists.
             *
             *     `FILE_TOO_COMPLEX`: The file takes more memory or time to read than is allowed. Split the file, or remove unusual formatting from it.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of imports. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199a230-44d5-7a6b-8c7d-9e0f1a2b3c4d",
                     *         "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *         "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *         "source": "custom",
                     *         "format": "csv",
                     *         "status": "running",
                     *         "dry_run": false,
                     *         "progress": {
                     *           "bytes": 8388608,
                     *           "total_bytes": 8388608,
                     *           "rows": 5000,
                     *           "imported": 4990,
                     *           "skipped": 0,
                     *           "failed": 10,
                     *           "imported_in_part": 0,
                     *           "left_out": 0,
                     *           "read": 40000
                     *         },
                     *         "questions": 2,
                     *         "warnings": [],
                     *         "errors": [],
                     *         "omissions": [],
                     *         "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "created_at": "2025-10-06T10:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ImportJob"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the import. */
                import_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a230-44d5-7a6b-8c7d-9e0f1a2b3c4d",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "source": "custom",
                     *       "format": "csv",
                     *       "status": "running",
                     *       "dry_run": false,
                     *       "progress": {
                     *         "bytes": 8388608,
                     *         "total_bytes": 8388608,
                     *         "rows": 5000,
                     *         "imported": 4990,
                     *         "skipped": 0,
                     *         "failed": 10,
                     *         "imported_in_part": 0,
                     *         "left_out": 0,
                     *         "read": 40000
                     *       },
                     *       "questions": 2,
                     *       "warnings": [],
                     *       "errors": [],
                     *       "omissions": [],
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "created_at": "2025-10-06T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ImportJob"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ImportNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listImportErrors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the import. */
                import_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One line for each rejected response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"index":1,"id":"R_2","code":"UNKNOWN_OPTION","detail":"row 3, question satisfaction: the question has no such option","row":3,"column":"satisfaction"} */
                    "*/*": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ImportNotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the import. */
                import_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a230-44d5-7a6b-8c7d-9e0f1a2b3c4d",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *       "source": "custom",
                     *       "format": "csv",
                     *       "status": "cancelling",
                     *       "dry_run": false,
                     *       "progress": {
                     *         "bytes": 8388608,
                     *         "total_bytes": 8388608,
                     *         "rows": 5000,
                     *         "imported": 4990,
                     *         "skipped": 0,
                     *         "failed": 10,
                     *         "imported_in_part": 0,
                     *         "left_out": 0,
                     *         "read": 40000
                     *       },
                     *       "questions": 2,
                     *       "warnings": [],
                     *       "errors": [],
                     *       "omissions": [],
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "created_at": "2025-10-06T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ImportJob"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ImportNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *         "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *         "url": "https://hooks.example.org/surveys",
                     *         "event_types": [
                     *           "response.submitted",
                     *           "survey.*"
                     *         ],
                     *         "active": true,
                     *         "description": "Into the data warehouse",
                     *         "created_at": "2025-09-30T08:25:00.000Z",
                     *         "updated_at": "2025-09-30T08:25:00.000Z",
                     *         "headers": {
                     *           "X-Api-Token": "********"
                     *         },
                     *         "survey_ids": [],
                     *         "include_answers": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Webhook"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.org/surveys",
                 *       "event_types": [
                 *         "response.submitted",
                 *         "survey.*"
                 *       ],
                 *       "description": "Into the data warehouse",
                 *       "headers": {
                 *         "X-Api-Token": "a token that the receiver asks for"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description The new webhook. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "url": "https://hooks.example.org/surveys",
                     *       "event_types": [
                     *         "response.submitted",
                     *         "survey.*"
                     *       ],
                     *       "active": true,
                     *       "description": "Into the data warehouse",
                     *       "created_at": "2025-09-30T08:25:00.000Z",
                     *       "updated_at": "2025-09-30T08:25:00.000Z",
                     *       "headers": {
                     *         "X-Api-Token": "********"
                     *       },
                     *       "survey_ids": [],
                     *       "include_answers": false,
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `STATE_CONFLICT`: The state of the record does not allow this. Read the record: `detail` says which state does not fit.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `WEBHOOK_URL_REFUSED`: Webhooks cannot be sent to this address. Use an `https` URL whose host has a public address.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "url": "https://hooks.example.org/surveys",
                     *       "event_types": [
                     *         "response.submitted",
                     *         "survey.*"
                     *       ],
                     *       "active": true,
                     *       "description": "Into the data warehouse",
                     *       "created_at": "2025-09-30T08:25:00.000Z",
                     *       "updated_at": "2025-09-30T08:25:00.000Z",
                     *       "headers": {
                     *         "X-Api-Token": "********"
                     *       },
                     *       "survey_ids": [],
                     *       "include_answers": false
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["WebhookNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["WebhookNotFound"];
            409: components["responses"]["VersionConflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description The changed webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "url": "https://hooks.example.org/surveys",
                     *       "event_types": [
                     *         "response.submitted",
                     *         "survey.*"
                     *       ],
                     *       "active": false,
                     *       "description": "Into the data warehouse",
                     *       "created_at": "2025-09-30T08:25:00.000Z",
                     *       "updated_at": "2025-09-30T08:25:00.000Z",
                     *       "headers": {
                     *         "X-Api-Token": "********"
                     *       },
                     *       "survey_ids": [],
                     *       "include_answers": false
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["WebhookNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["VersionConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /**
             * @description `VALIDATION_FAILED`: Fields of the request are invalid. Correct the fields that `errors` lists.
             *
             *     `WEBHOOK_URL_REFUSED`: Webhooks cannot be sent to this address. Use an `https` URL whose host has a public address.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getWebhookHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Health of a webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *       "circuit": "open",
                     *       "circuit_probe_at": "2025-10-01T12:00:20.000Z",
                     *       "last_hour": {
                     *         "deliveries": 20,
                     *         "attempts": 25,
                     *         "succeeded": 18,
                     *         "success_rate": 0.72,
                     *         "latency_p50_ms": 84,
                     *         "latency_p95_ms": 310,
                     *         "is_sample": false
                     *       },
                     *       "last_day": {
                     *         "deliveries": 1000,
                     *         "attempts": 1006,
                     *         "succeeded": 998,
                     *         "success_rate": 0.99,
                     *         "latency_p50_ms": 80,
                     *         "latency_p95_ms": 240,
                     *         "is_sample": true
                     *       },
                     *       "pending": 3,
                     *       "retrying": 2,
                     *       "failed": 0,
                     *       "next_attempt_at": "2025-10-01T12:00:20.000Z",
                     *       "oldest_waiting_age_seconds": 95,
                     *       "capped": []
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookHealth"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["WebhookNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_hours": 72
                 *     }
                 */
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *       "previous_secret_expires_at": "2025-10-03T08:25:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SecretRotation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["WebhookNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Result of the test. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *       "webhook_id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *       "event_type": "webhook.test",
                     *       "payload": {
                     *         "api_version": "v1",
                     *         "event": "webhook.test",
                     *         "delivery_id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *         "timestamp": "2025-10-01T11:45:10.480Z"
                     *       },
                     *       "status": "delivered",
                     *       "created_at": "2025-10-01T11:45:10.480Z",
                     *       "attempts": [
                     *         {
                     *           "number": 1,
                     *           "started_at": "2025-10-01T11:45:10.510Z",
                     *           "duration_ms": 84,
                     *           "status_code": 200,
                     *           "content_type": "text/plain",
                     *           "response_excerpt": "ok",
                     *           "trigger": "test",
                     *           "request": {
                     *             "url": "https://hooks.example.org/surveys",
                     *             "headers": {
                     *               "X-Api-Token": "********",
                     *               "Content-Type": "application/json",
                     *               "User-Agent": "Survey-Webhook/1.0",
                     *               "Accept-Encoding": "identity",
                     *               "X-Service-Signature": "********",
                     *               "X-Service-Delivery": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *               "webhook-id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *               "webhook-timestamp": "1759319110",
                     *               "webhook-signature": "********"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "event_id": "0199a204-5f9e-5c1d-8b2a-7e6f5d4c3b2a"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["WebhookNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "since": "2025-10-01T00:00:00Z",
                 *       "until": "2025-10-02T00:00:00Z",
                 *       "statuses": [
                 *         "failed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ReplayWebhookRequest"];
            };
        };
        responses: {
            /** @description The new replay. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    /** @description Path of the replay. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a240-16f7-7d80-9a1b-2c3d4e5f6071",
                     *       "webhook_id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *       "status": "running",
                     *       "since": "2025-10-01T00:00:00.000Z",
                     *       "until": "2025-10-02T00:00:00.000Z",
                     *       "statuses": [
                     *         "failed"
                     *       ],
                     *       "event_types": [],
                     *       "total": 42,
                     *       "replayed": 10,
                     *       "created_at": "2025-10-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["WebhookNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `STATE_CONFLICT`: The state of the record does not allow this. Read the record: `detail` says which state does not fit.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listReplays: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of replays. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199a240-16f7-7d80-9a1b-2c3d4e5f6071",
                     *         "webhook_id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *         "status": "running",
                     *         "since": "2025-10-01T00:00:00.000Z",
                     *         "until": "2025-10-02T00:00:00.000Z",
                     *         "statuses": [
                     *           "failed"
                     *         ],
                     *         "event_types": [],
                     *         "total": 42,
                     *         "replayed": 10,
                     *         "created_at": "2025-10-02T07:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Replay"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["WebhookNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the replay. */
                replay_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a240-16f7-7d80-9a1b-2c3d4e5f6071",
                     *       "webhook_id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *       "status": "running",
                     *       "since": "2025-10-01T00:00:00.000Z",
                     *       "until": "2025-10-02T00:00:00.000Z",
                     *       "statuses": [
                     *         "failed"
                     *       ],
                     *       "event_types": [],
                     *       "total": 42,
                     *       "replayed": 10,
                     *       "created_at": "2025-10-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ReplayNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    cancelReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the replay. */
                replay_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled replay. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a240-16f7-7d80-9a1b-2c3d4e5f6071",
                     *       "webhook_id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *       "status": "cancelled",
                     *       "since": "2025-10-01T00:00:00.000Z",
                     *       "until": "2025-10-02T00:00:00.000Z",
                     *       "statuses": [
                     *         "failed"
                     *       ],
                     *       "event_types": [],
                     *       "total": 42,
                     *       "replayed": 10,
                     *       "created_at": "2025-10-02T07:00:00.000Z",
                     *       "finished_at": "2025-10-02T07:01:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ReplayNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `STATE_CONFLICT`: The state of the record does not allow this. Read the record: `detail` says which state does not fit.
             *
             *     `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Only deliveries with this status. */
                status?: "pending" | "delivered" | "failed";
                /** @description Only deliveries of this event type. */
                event_type?: string;
                /** @description Only deliveries created at this time or later. */
                since?: string;
                /** @description Only deliveries created before this time. */
                until?: string;
                /** @description Only deliveries that failed for good: they are not retried, and have a `failure_reason`. */
                failed_for_good?: boolean;
                /** @description Only deliveries that failed and are retried: they have a `next_attempt_at`. */
                retrying?: boolean;
            };
            header?: never;
            path: {
                /** @description The webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *         "webhook_id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *         "event_type": "response.submitted",
                     *         "payload": {
                     *           "api_version": "v1",
                     *           "event": "response.submitted",
                     *           "delivery_id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *           "timestamp": "2025-10-01T11:45:10.480Z",
                     *           "data": {
                     *             "response_id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *             "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *             "survey_version": 1,
                     *             "status": "completed",
                     *             "occurred_at": "2025-10-01T11:45:10.210Z",
                     *             "revision": 1
                     *           }
                     *         },
                     *         "status": "delivered",
                     *         "created_at": "2025-10-01T11:45:10.480Z",
                     *         "attempts": [
                     *           {
                     *             "number": 1,
                     *             "started_at": "2025-10-01T11:45:10.510Z",
                     *             "duration_ms": 84,
                     *             "status_code": 200,
                     *             "content_type": "text/plain",
                     *             "response_excerpt": "ok",
                     *             "trigger": "schedule",
                     *             "request": {
                     *               "url": "https://hooks.example.org/surveys",
                     *               "headers": {
                     *                 "X-Api-Token": "********",
                     *                 "Content-Type": "application/json",
                     *                 "User-Agent": "Survey-Webhook/1.0",
                     *                 "Accept-Encoding": "identity",
                     *                 "X-Service-Signature": "********",
                     *                 "X-Service-Delivery": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *                 "webhook-id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *                 "webhook-timestamp": "1759319110",
                     *                 "webhook-signature": "********"
                     *               }
                     *             }
                     *           }
                     *         ],
                     *         "event_id": "0199a204-5f9e-5c1d-8b2a-7e6f5d4c3b2a"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Delivery"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["WebhookNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *       "webhook_id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *       "event_type": "response.submitted",
                     *       "payload": {
                     *         "api_version": "v1",
                     *         "event": "response.submitted",
                     *         "delivery_id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *         "timestamp": "2025-10-01T11:45:10.480Z",
                     *         "data": {
                     *           "response_id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *           "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *           "survey_version": 1,
                     *           "status": "completed",
                     *           "occurred_at": "2025-10-01T11:45:10.210Z",
                     *           "revision": 1
                     *         }
                     *       },
                     *       "status": "delivered",
                     *       "created_at": "2025-10-01T11:45:10.480Z",
                     *       "attempts": [
                     *         {
                     *           "number": 1,
                     *           "started_at": "2025-10-01T11:45:10.510Z",
                     *           "duration_ms": 84,
                     *           "status_code": 200,
                     *           "content_type": "text/plain",
                     *           "response_excerpt": "ok",
                     *           "trigger": "schedule",
                     *           "request": {
                     *             "url": "https://hooks.example.org/surveys",
                     *             "headers": {
                     *               "X-Api-Token": "********",
                     *               "Content-Type": "application/json",
                     *               "User-Agent": "Survey-Webhook/1.0",
                     *               "Accept-Encoding": "identity",
                     *               "X-Service-Signature": "********",
                     *               "X-Service-Delivery": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *               "webhook-id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *               "webhook-timestamp": "1759319110",
                     *               "webhook-signature": "********"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "event_id": "0199a204-5f9e-5c1d-8b2a-7e6f5d4c3b2a"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["DeliveryNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    redeliverDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, about to be sent. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *       "webhook_id": "0199a1f8-2e60-7b17-b8a4-5c6d7e8f9001",
                     *       "event_type": "response.submitted",
                     *       "payload": {
                     *         "api_version": "v1",
                     *         "event": "response.submitted",
                     *         "delivery_id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *         "timestamp": "2025-10-01T11:45:10.480Z",
                     *         "data": {
                     *           "response_id": "0199a204-5f3b-7d62-8a90-c1b2d3e4f506",
                     *           "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *           "survey_version": 1,
                     *           "status": "completed",
                     *           "occurred_at": "2025-10-01T11:45:10.210Z",
                     *           "revision": 1
                     *         }
                     *       },
                     *       "status": "pending",
                     *       "created_at": "2025-10-01T11:45:10.480Z",
                     *       "attempts": [
                     *         {
                     *           "number": 1,
                     *           "started_at": "2025-10-01T11:45:10.510Z",
                     *           "duration_ms": 84,
                     *           "status_code": 200,
                     *           "content_type": "text/plain",
                     *           "response_excerpt": "ok",
                     *           "trigger": "schedule",
                     *           "request": {
                     *             "url": "https://hooks.example.org/surveys",
                     *             "headers": {
                     *               "X-Api-Token": "********",
                     *               "Content-Type": "application/json",
                     *               "User-Agent": "Survey-Webhook/1.0",
                     *               "Accept-Encoding": "identity",
                     *               "X-Service-Signature": "********",
                     *               "X-Service-Delivery": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *               "webhook-id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *               "webhook-timestamp": "1759319110",
                     *               "webhook-signature": "********"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "event_id": "0199a204-5f9e-5c1d-8b2a-7e6f5d4c3b2a",
                     *       "next_attempt_at": "2025-10-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["DeliveryNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `STATE_CONFLICT`: The state of the record does not allow this. Read the record: `detail` says which state does not fit.
             *
             *     `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All event types. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "survey.published",
                     *         "description": "A survey was opened for answers.",
                     *         "schema": {
                     *           "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *           "type": "object",
                     *           "properties": {
                     *             "survey_id": {
                     *               "type": "string",
                     *               "format": "uuid"
                     *             },
                     *             "title": {
                     *               "type": "string"
                     *             },
                     *             "version": {
                     *               "type": "integer"
                     *             },
                     *             "status": {
                     *               "type": "string"
                     *             },
                     *             "occurred_at": {
                     *               "type": "string",
                     *               "format": "date-time"
                     *             },
                     *             "revision": {
                     *               "type": "integer"
                     *             }
                     *           }
                     *         },
                     *         "example": {
                     *           "api_version": "v1",
                     *           "event": "survey.published",
                     *           "delivery_id": "0199a206-9c31-7e55-a1b2-c3d4e5f60718",
                     *           "timestamp": "2025-09-30T08:30:00.000Z",
                     *           "data": {
                     *             "survey_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *             "title": "Canteen, autumn",
                     *             "version": 1,
                     *             "status": "active",
                     *             "occurred_at": "2025-09-30T08:29:59.700Z",
                     *             "revision": 3
                     *           }
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["EventType"][];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "user_id": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "role": "analyst",
                     *       "permissions": [
                     *         "imports:read",
                     *         "links:read",
                     *         "projects:read",
                     *         "responses:export",
                     *         "responses:read",
                     *         "surveys:export",
                     *         "surveys:read",
                     *         "tenant:read",
                     *         "webhooks:read"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "name": "Example GmbH",
                     *       "status": "active",
                     *       "created_at": "2025-09-23T07:00:00.000Z",
                     *       "limits": {
                     *         "requests_per_minute": 6000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Example AG"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateTenantRequest"];
            };
        };
        responses: {
            /** @description The changed tenant. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "name": "Example AG",
                     *       "status": "active",
                     *       "created_at": "2025-09-23T07:00:00.000Z",
                     *       "limits": {
                     *         "requests_per_minute": 6000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["VersionConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTenantUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The use of the limits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rate_limits": [
                     *         {
                     *           "policy": "default",
                     *           "requests_per_minute": 12000,
                     *           "used": 310
                     *         },
                     *         {
                     *           "policy": "heavy",
                     *           "requests_per_minute": 3000,
                     *           "used": 8
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TenantUsage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *         "email": "ada@example.org",
                     *         "role": "analyst",
                     *         "permissions": [
                     *           "links:write"
                     *         ],
                     *         "created_at": "2025-09-29T07:30:00.000Z",
                     *         "updated_at": "2025-09-29T07:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["User"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org",
                 *       "role": "analyst",
                 *       "permissions": [
                 *         "links:write"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateUserRequest"];
            };
        };
        responses: {
            /** @description The new user. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "email": "ada@example.org",
                     *       "role": "analyst",
                     *       "permissions": [
                     *         "links:write"
                     *       ],
                     *       "created_at": "2025-09-29T07:30:00.000Z",
                     *       "updated_at": "2025-09-29T07:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `ALREADY_EXISTS`: The record already exists. Use the existing record, or another id or name.
             *
             *     `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body, or by a caller with other permissions. Send a new key for a new request. Repeat a request only with the same body and caller.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version that you have. If it is current, you get 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the user. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "email": "ada@example.org",
                     *       "role": "analyst",
                     *       "permissions": [
                     *         "links:write"
                     *       ],
                     *       "created_at": "2025-09-29T07:30:00.000Z",
                     *       "updated_at": "2025-09-29T07:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The client has the current version. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["UserNotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the user. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["UserNotFound"];
            /**
             * @description `LAST_OWNER`: The last owner of a tenant can be neither removed nor demoted. Make another user an owner first.
             *
             *     `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the user. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "role": "editor",
                 *       "permissions": []
                 *     }
                 */
                "application/json": components["schemas"]["UpdateUserRequest"];
            };
        };
        responses: {
            /** @description The changed user. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "email": "ada@example.org",
                     *       "role": "editor",
                     *       "permissions": [],
                     *       "created_at": "2025-09-29T07:30:00.000Z",
                     *       "updated_at": "2025-10-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["UserNotFound"];
            406: components["responses"]["NotAcceptable"];
            /**
             * @description `ALREADY_EXISTS`: The record already exists. Use the existing record, or another id or name.
             *
             *     `LAST_OWNER`: The last owner of a tenant can be neither removed nor demoted. Make another user an owner first.
             *
             *     `VERSION_CONFLICT`: The record was changed concurrently. Read the record again, apply your change to it, and send that.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of API keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199a1e4-3d4e-7f50-9162-738495a6b7c8",
                     *         "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *         "name": "nightly export",
                     *         "prefix": "svk_9Qz4kd",
                     *         "permissions": [
                     *           "responses:export",
                     *           "surveys:read"
                     *         ],
                     *         "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "created_at": "2025-09-29T07:45:00.000Z",
                     *         "expires_at": "2036-09-29T00:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request. Within 24 hours, a request with the same key creates nothing and gets the first reply again. With another body it is an error. Without a token, it must be a random UUID (version 4 or 7). */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "nightly export",
                 *       "permissions": [
                 *         "responses:export",
                 *         "surveys:read"
                 *       ],
                 *       "expires_at": "2036-09-29T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The new API key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199a1e4-3d4e-7f50-9162-738495a6b7c8",
                     *       "tenant_id": "01997d3a-5b1c-7d20-8f0e-2a6b9c4d1e01",
                     *       "name": "nightly export",
                     *       "prefix": "svk_9Qz4kd",
                     *       "permissions": [
                     *         "responses:export",
                     *         "surveys:read"
                     *       ],
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "created_at": "2025-09-29T07:45:00.000Z",
                     *       "expires_at": "2036-09-29T00:00:00.000Z",
                     *       "secret": "svk_9Qz4kdExampleOnlyExampleOnlyExampleOnly1234"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["IdempotencyKeyReused"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that you want to change. If the record has changed, you get 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ApiKeyNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Cursor of the page, from the `Link` header of the previous page. */
                cursor?: string;
                /** @description Only changes by this user. */
                actor?: string;
                /** @description Only this action, for example `survey.published`. */
                action?: string;
                /** @description Only changes of this kind of record, for example `survey`. */
                resource_type?: string;
                /** @description Only changes of this record. */
                resource_id?: string;
                /** @description Only changes at this time or later. */
                since?: string;
                /** @description Only changes before this time. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    /** @description The next page, `rel="next"`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199a1fa-6b7c-5d8e-9f0a-1b2c3d4e5f60",
                     *         "action": "survey.published",
                     *         "actor": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "resource_type": "survey",
                     *         "resource_id": "0199a1f0-3c52-7b8e-9d41-6f2e8a7b5c10",
                     *         "changes": [
                     *           {
                     *             "path": "/status",
                     *             "before": "draft",
                     *             "after": "active"
                     *           }
                     *         ],
                     *         "request_id": "7f9c1c1e-52b1-4d0b-9a53-0c4d0c1f7a11",
                     *         "created_at": "2025-09-30T08:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AuditEvent"][];
                };
            };
            /**
             * @description `INVALID_REQUEST`: The request is malformed. Correct the request as `errors` and `detail` say. Do not repeat it unchanged.
             *
             *     `INVALID_CURSOR`: The cursor does not belong to this list. Read the list from its first page, and change no parameter between pages.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["PermissionDenied"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All checks pass. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "checks": {
                     *         "database": true,
                     *         "queue": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            /** @description A check fails. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "unhealthy",
                     *       "checks": {
                     *         "database": true,
                     *         "queue": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            "5XX": components["responses"]["Internal"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # HELP survey_responses_total Accepted responses.
                     *     # TYPE survey_responses_total counter
                     *     survey_responses_total 42
                     */
                    "text/plain": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidToken"];
            404: components["responses"]["RouteNotFound"];
            429: components["responses"]["TooManyRequests"];
            "5XX": components["responses"]["Internal"];
        };
    };
    onResponseStarted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "response_id": "0198c0de-5a1e-7000-8000-000000000002",
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "survey_version": 1,
                 *         "started_at": "2026-01-31T12:00:00.000Z",
                 *         "language": "en",
                 *         "status": "in_progress",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "response.started",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ResponseStartedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onResponseSubmitted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "response_id": "0198c0de-5a1e-7000-8000-000000000002",
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "survey_version": 1,
                 *         "started_at": "2026-01-31T12:00:00.000Z",
                 *         "language": "en",
                 *         "status": "completed",
                 *         "completed_at": "2026-01-31T12:01:30.000Z",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "response.submitted",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ResponseSubmittedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onResponseDisqualified: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "response_id": "0198c0de-5a1e-7000-8000-000000000002",
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "survey_version": 1,
                 *         "started_at": "2026-01-31T12:00:00.000Z",
                 *         "language": "en",
                 *         "status": "disqualified",
                 *         "completed_at": "2026-01-31T12:01:30.000Z",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "response.disqualified",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ResponseDisqualifiedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onResponseAbandoned: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "response_id": "0198c0de-5a1e-7000-8000-000000000002",
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "survey_version": 1,
                 *         "started_at": "2026-01-31T12:00:00.000Z",
                 *         "language": "en",
                 *         "status": "abandoned",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "response.abandoned",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ResponseAbandonedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onResponseUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "response_id": "0198c0de-5a1e-7000-8000-000000000002",
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "survey_version": 1,
                 *         "started_at": "2026-01-31T12:00:00.000Z",
                 *         "language": "en",
                 *         "status": "completed",
                 *         "completed_at": "2026-01-31T12:01:30.000Z",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "response.updated",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ResponseUpdatedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onResponseDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "response_id": "0198c0de-5a1e-7000-8000-000000000002",
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "survey_version": 1,
                 *         "started_at": "2026-01-31T12:00:00.000Z",
                 *         "language": "en",
                 *         "status": "completed",
                 *         "completed_at": "2026-01-31T12:01:30.000Z",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "response.deleted",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ResponseDeletedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSurveyCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "title": "Lunch",
                 *         "version": 1,
                 *         "status": "draft",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "survey.created",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["SurveyCreatedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSurveyUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "title": "Lunch",
                 *         "version": 1,
                 *         "status": "draft",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "survey.updated",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["SurveyUpdatedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSurveyPublished: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "title": "Lunch",
                 *         "version": 1,
                 *         "status": "active",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "survey.published",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["SurveyPublishedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSurveyClosed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "title": "Lunch",
                 *         "version": 1,
                 *         "status": "closed",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "survey.closed",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["SurveyClosedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSurveyDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "title": "Lunch",
                 *         "version": 1,
                 *         "status": "deleted",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "survey.deleted",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["SurveyDeletedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSurveyLimitReached: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "survey_id": "0198c0de-5a1e-7000-8000-000000000001",
                 *         "response_id": "0198c0de-5a1e-7000-8000-000000000002",
                 *         "response_limit": 500,
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "survey.limit_reached",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["SurveyLimitReachedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onImportCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "id": "0198c0de-5a1e-7000-8000-000000000003",
                 *         "source": "custom",
                 *         "format": "csv",
                 *         "status": "completed",
                 *         "total": 3,
                 *         "imported": 2,
                 *         "imported_in_part": 0,
                 *         "skipped": 1,
                 *         "left_out": 0,
                 *         "failed": 0,
                 *         "questions": 5,
                 *         "warnings": [],
                 *         "errors": [],
                 *         "omissions": [],
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "import.completed",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ImportCompletedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onImportFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "id": "0198c0de-5a1e-7000-8000-000000000003",
                 *         "source": "custom",
                 *         "format": "csv",
                 *         "status": "failed",
                 *         "total": 1,
                 *         "imported": 0,
                 *         "imported_in_part": 0,
                 *         "skipped": 0,
                 *         "left_out": 0,
                 *         "failed": 1,
                 *         "questions": 5,
                 *         "warnings": [],
                 *         "errors": [
                 *           {
                 *             "index": 0,
                 *             "id": "R_1",
                 *             "row": 2,
                 *             "column": "satisfaction",
                 *             "code": "INVALID_ANSWERS",
                 *             "detail": "Answers are invalid"
                 *           }
                 *         ],
                 *         "omissions": [],
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "import.failed",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ImportFailedEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "webhook_id": "0198c0de-5a1e-7000-8000-000000000004",
                 *         "reason": "failing",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "webhook.disabled",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookDisabledEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the delivery, the same in each retry. */
                "webhook-id": string;
                /** @description The time when this attempt began, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures of Standard Webhooks, separated by spaces: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. */
                "webhook-signature": string;
                /** @description Id of the delivery. Operators can replace the prefix `X-Service`. */
                "X-Service-Delivery": string;
                /** @description HMAC-SHA256 of the body. Operators can replace the prefix `X-Service`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_version": "v1",
                 *       "data": {
                 *         "webhook_id": "0198c0de-5a1e-7000-8000-000000000004",
                 *         "message": "This is a test of your webhook.",
                 *         "occurred_at": "2026-01-31T12:01:30.000Z",
                 *         "revision": 1
                 *       },
                 *       "delivery_id": "0198c0de-5a1e-7000-8000-00000000000f",
                 *       "event": "webhook.test",
                 *       "timestamp": "2026-01-31T12:01:31.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description The platform disables the webhook. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The platform tries again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
