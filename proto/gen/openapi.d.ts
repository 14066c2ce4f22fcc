export interface paths {
    "/v1/surveys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the tenant's surveys, newest first; by the time of their last change where the query asks for that time
         * @description Lists the tenant's surveys, newest first; by the time of their last change where the query asks for that time.
         *
         *     Needs the permission `surveys:read`, and `surveys:delete` for what asks for it.
         */
        get: operations["listSurveys"];
        put?: never;
        /**
         * Makes a survey, as a draft
         * @description Makes a survey, as a draft. The definition has to have its shape; what lint finds beyond that is kept until the survey is published.
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
         * Reads one survey
         * @description Reads one survey.
         *
         *     Needs the permission `surveys:read`.
         */
        get: operations["getSurvey"];
        /**
         * Replaces the definition, which makes the next version: live at once on an active survey, which is refused while it has errors
         * @description Replaces the definition, which makes the next version: live at once on an active survey, which is refused while it has errors. The payload's `version` has to be the latest, the one that was edited.
         *
         *     Needs the permission `surveys:write`.
         */
        put: operations["replaceSurvey"];
        post?: never;
        /**
         * Deletes a survey: it takes no more answers and is listed among the deleted ones alone
         * @description Deletes a survey: it takes no more answers and is listed among the deleted ones alone. It can be restored for 30 days (operators may set another time); then it is gone for good, with its responses.
         *
         *     Needs the permission `surveys:delete`.
         */
        delete: operations["deleteSurvey"];
        options?: never;
        head?: never;
        /**
         * Changes settings and project: a merge patch, which leaves what it does not name and clears what it names as null
         * @description Changes settings and project: a merge patch, which leaves what it does not name and clears what it names as null.
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
         * Brings a deleted survey back, as it was; one that was active is closed
         * @description Brings a deleted survey back, as it was; one that was active is closed.
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
         * Makes a draft survey with the definition, project and settings of another one
         * @description Makes a draft survey with the definition, project and settings of another one.
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
         * Opens a survey for answers, with the draft that waits beside it if there is one
         * @description Opens a survey for answers, with the draft that waits beside it if there is one. Refused while its definition has errors.
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
         * Closes an active survey: it takes no more answers
         * @description Closes an active survey: it takes no more answers.
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
         * Checks questions, logic, required flags and types of a survey
         * @description Checks questions, logic, required flags and types of a survey.
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
         * Checks a creation payload, and stores nothing
         * @description Checks a creation payload, and stores nothing.
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
         * Reads one version
         * @description Reads one version.
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
    "/v1/surveys/{survey_id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads the definition that waits beside the live one
         * @description Reads the definition that waits beside the live one.
         *
         *     Needs the permission `surveys:read`.
         */
        get: operations["getSurveyDraft"];
        put?: never;
        post?: never;
        /**
         * Throws the definition away that waits beside the live one
         * @description Throws the definition away that waits beside the live one.
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
         * Gives the survey as a file that can be imported: all of it as JSON; as CSV what six columns hold, with what that leaves out in the header `Export-Omitted`
         * @description Gives the survey as a file that can be imported: all of it as JSON; as CSV what six columns hold, with what that leaves out in the header `Export-Omitted`.
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
         * Lists the tenant's projects, newest first
         * @description Lists the tenant's projects, newest first.
         *
         *     Needs the permission `projects:read`.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Makes a project
         * @description Makes a project.
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
         * Reads one project
         * @description Reads one project.
         *
         *     Needs the permission `projects:read`.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Deletes a project
         * @description Deletes a project. Refused while a survey is in it, deleted ones included, which may come back.
         *
         *     Needs the permission `projects:write`.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Changes a project: a merge patch, which leaves what it does not name
         * @description Changes a project: a merge patch, which leaves what it does not name.
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
         * Makes a link to a survey
         * @description Makes a link to a survey. The tokens of a single-use link are in this answer alone.
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
         * Reads one link
         * @description Reads one link.
         *
         *     Needs the permission `links:read`.
         */
        get: operations["getLink"];
        put?: never;
        post?: never;
        /**
         * Deletes a link: nobody comes through it any more, and its slug is free again
         * @description Deletes a link: nobody comes through it any more, and its slug is free again.
         *
         *     Needs the permission `links:write`.
         */
        delete: operations["deleteLink"];
        options?: never;
        head?: never;
        /**
         * Changes a link: a merge patch, which leaves what it does not name and clears what it names as null
         * @description Changes a link: a merge patch, which leaves what it does not name and clears what it names as null.
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
         * Makes more tokens for a single-use link
         * @description Makes more tokens for a single-use link. They are in this answer alone.
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
         * What a renderer needs to show an active survey
         * @description What a renderer needs to show an active survey.
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
         * What a renderer needs to show the survey that a link leads to
         * @description What a renderer needs to show the survey that a link leads to. A link with a password asks for it in the header `Link-Password`, and answers with a `Link-Token` that stands for it for a day; a single-use link asks for one of its tokens in `Link-Token`. The `Link-Token` of an answer takes the place of what was sent before, whatever it holds. A client that gives wrong passwords gets 429 with `Retry-After` after five of them; other clients are not affected.
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
         * Submits an answer
         * @description Submits an answer. It is checked against the survey, stored encrypted, and told to the tenant's webhooks. With an `Idempotency-Key`, repeating the request gives the first answer again.
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
         * Submits an answer through a link, which is let through as by reading it: see `GetPublicLink`
         * @description Submits an answer through a link, which is let through as by reading it: see `GetPublicLink`. A token of a single-use link is used up by the first answer that it brings.
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
         * Takes a file for a question of the type `file_upload`: the body is its bytes, at most 100 MiB
         * @description Takes a file for a question of the type `file_upload`: the body is its bytes, at most 100 MiB. The answer that is submitted then names its `file_id`; one that no answer names is gone after a day. What the question says of size and kind is checked, the kind by the bytes themselves.
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
         * Takes a file for an answer through a link, which is let through as by reading it: see `GetPublicLink` and `UploadPublicFile`
         * @description Takes a file for an answer through a link, which is let through as by reading it: see `GetPublicLink` and `UploadPublicFile`.
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
         * Reads an answer in progress, with its token in the header `Resume-Token`
         * @description Reads an answer in progress, with its token in the header `Resume-Token`.
         */
        get: operations["getPublicResponse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Saves an answer in progress, or finishes it with the status `completed`: a merge patch of its answers and metadata, with its token in the header `Resume-Token`
         * @description Saves an answer in progress, or finishes it with the status `completed`: a merge patch of its answers and metadata, with its token in the header `Resume-Token`. It is rejected like a new response once its survey, or the link that it was begun through, takes no more responses.
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
         * Lists the responses of a survey, by the time they were stored, or a random sample of them
         * @description Lists the responses of a survey, by the time they were stored, or a random sample of them.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["listResponses"];
        put?: never;
        /**
         * Submits an answer on behalf of a respondent
         * @description Submits an answer on behalf of a respondent. With an `Idempotency-Key`, repeating the request gives the first answer again.
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
    "/v1/surveys/{survey_id}/responses/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts the responses of a survey, exactly; in every state unless the query asks for one
         * @description Counts the responses of a survey, exactly; in every state unless the query asks for one.
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
    "/v1/responses/{response_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads one response
         * @description Reads one response.
         *
         *     Needs the permission `responses:read`.
         */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        /**
         * Deletes a response
         * @description Deletes a response. Its answers are gone at once. The request that made it, repeated with its `Idempotency-Key`, is 410 then.
         *
         *     Needs the permission `responses:delete`.
         */
        delete: operations["deleteResponse"];
        options?: never;
        head?: never;
        /**
         * Corrects a response: a merge patch of its answers and metadata, which leaves what it does not name
         * @description Corrects a response: a merge patch of its answers and metadata, which leaves what it does not name. The answers have to fit the version that it answers, as when it was submitted. They decide anew whether one that is over is completed or disqualified.
         *
         *     Needs the permission `responses:write`.
         */
        patch: operations["updateResponse"];
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
         * Gives the responses of a survey as a file, oldest first
         * @description Gives the responses of a survey as a file, oldest first. An answer that breaks off is no whole file: its connection is cut.
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
    "/v1/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Gives the bytes of a file that a stored response names
         * @description Gives the bytes of a file that a stored response names. It comes as an attachment, of the kind that its bytes show.
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
         * Sums up the completed responses of a survey: how many there are day by day, what was answered to each question, and where respondents stopped
         * @description Sums up the completed responses of a survey: how many there are day by day, what was answered to each question, and where respondents stopped. Of more than 5,000 responses it may be as old as it took to make.
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
         * Makes a survey from a file, with the responses that the file holds
         * @description Makes a survey from a file, with the responses that the file holds. With responses the survey arrives closed, else as a draft. The body is JSON with the file in it, or the file as it is: then `format`, and everything else, is in the query. Up to 1 MiB of a file, and 1,000 responses, are imported within the call. A larger one becomes a job, and so does any with `Prefer: respond-async`: the answer is 202 with the import and its `Location`, or 200 with it when it ends within the seconds of `Prefer: wait`, 25 at the most. A dry run is answered with 200 and a survey without an id.
         *
         *     Needs the permission `surveys:import`, and `responses:import` for what asks for it.
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
         * @description Adds responses from a file to a survey. Each is validated against the latest version of the survey; the good ones are stored, the bad ones reported. Exports of responses are such files. Of what they say about a response itself, id, `external_id`, times of beginning and completion, language and metadata are taken over; whether it is completed or disqualified follows from the survey, and one in progress or abandoned is refused. It is created now, in this survey, and came through no link.
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
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists imports, newest first, without their warnings and errors
         * @description Lists imports, newest first, without their warnings and errors. Those that are over are kept for 90 days.
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
         * Reads an import, with how far it is
         * @description Reads an import, with how far it is.
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
         * Reads all responses that an import has refused so far, one a line (NDJSON): `{index, id, code, detail}`
         * @description Reads all responses that an import has refused so far, one a line (NDJSON): `{index, id, code, detail}`. The first 100,000 are kept.
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
         * Has an import that runs end at the batch that it is at
         * @description Has an import that runs end at the batch that it is at. What it has stored by then stays. One that is over is left as it is.
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
         * Lists the tenant's webhooks, newest first
         * @description Lists the tenant's webhooks, newest first.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Registers an address for signed events
         * @description Registers an address for signed events. The secret is in this answer alone. With `include_answers` the caller has to be allowed to read responses. A tenant has 100 webhooks at the most.
         *
         *     Needs the permission `webhooks:write`, and `responses:read` for what asks for it.
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
         * Reads one webhook
         * @description Reads one webhook.
         *
         *     Needs the permission `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Deletes a webhook
         * @description Deletes a webhook. Nothing is sent to it any more.
         *
         *     Needs the permission `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Changes a webhook: what is absent stays as it is
         * @description Changes a webhook: what is absent stays as it is. Switched on again, one that we had switched off starts anew; what it missed can be replayed. Whoever changes what a webhook that includes answers is sent has to be allowed to read responses. So has whoever changes `url` or `headers`, or switches it on, also when it included answers once and does not any more: deliveries that have them already can be sent again.
         *
         *     Needs the permission `webhooks:write`, and `responses:read` for what asks for it.
         */
        patch: operations["updateWebhook"];
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
         * Gives a webhook a new secret, which is in this answer alone
         * @description Gives a webhook a new secret, which is in this answer alone. The one before signs too, beside it, until the overlap ends: receivers have that long to change over. With an `Idempotency-Key`, repeating the request gives the first answer again.
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
         * Sends the event `webhook
         * @description Sends the event `webhook.test` to a webhook now, also to one that is switched off, and tells what came of it, after 20 seconds at the latest. It is tried once, and kept as a delivery. More than ten of a webhook within a minute are 429.
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
         * Sends what a webhook was or was to be sent once more: a job that goes on by itself, gently, beside what is new
         * @description Sends what a webhook was or was to be sent once more: a job that goes on by itself, gently, beside what is new. Every delivery keeps its id and its bytes, and gets all of its attempts anew. With an `Idempotency-Key`, repeating the request gives the first answer again.
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
         * Reads a replay, with how far it is
         * @description Reads a replay, with how far it is.
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
         * Ends a replay where it is
         * @description Ends a replay where it is. What it has scheduled is sent; one that is over is 409.
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
         * Lists what was and is to be sent to a webhook, newest first
         * @description Lists what was and is to be sent to a webhook, newest first.
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
         * Reads one delivery with its attempts
         * @description Reads one delivery with its attempts.
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
         * Sends a delivery once more, whatever became of it: under the same id, with the same bytes, with all of its attempts anew
         * @description Sends a delivery once more, whatever became of it: under the same id, with the same bytes, with all of its attempts anew. One that waits for its next attempt is tried at once, and goes on from there; one that is being sent is 409.
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
         * Lists every type of event that webhooks can be sent, each with the JSON Schema of its `data` and an example
         * @description Lists every type of event that webhooks can be sent, each with the JSON Schema of its `data` and an example.
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
         * Tells the tenant, user, role and permissions that the token stands for
         * @description Tells the tenant, user, role and permissions that the token stands for.
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
         * Reads the caller's own tenant
         * @description Reads the caller's own tenant.
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
         * Changes the caller's own tenant: a merge patch, which leaves what it does not name
         * @description Changes the caller's own tenant: a merge patch, which leaves what it does not name.
         *
         *     Needs the permission `tenant:write`.
         */
        patch: operations["updateTenant"];
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
         * Lists the tenant's users, newest first
         * @description Lists the tenant's users, newest first.
         *
         *     Needs the permission `users:read`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Adds a user
         * @description Adds a user. One whose id or e-mail address the tenant has already is `ALREADY_EXISTS`.
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
         * Reads one user
         * @description Reads one user.
         *
         *     Needs the permission `users:read`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Removes a user from the tenant, whose tokens and API keys are worth nothing then
         * @description Removes a user from the tenant, whose tokens and API keys are worth nothing then. Removing the last owner is `LAST_OWNER`.
         *
         *     Needs the permission `users:write`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Changes a user: a merge patch, which leaves what it does not name
         * @description Changes a user: a merge patch, which leaves what it does not name. Demoting the last owner is `LAST_OWNER`.
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
         * Lists the tenant's keys, newest first, without their secrets
         * @description Lists the tenant's keys, newest first, without their secrets.
         *
         *     Needs the permission `keys:read`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Makes a key
         * @description Makes a key. The answer holds the secret, for the only time. A permission that the caller lacks is `PERMISSION_DENIED`, naming it.
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
         * Deletes a key
         * @description Deletes a key.
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
         * Lists changes, newest first
         * @description Lists changes, newest first. A change is listed moments after it was made.
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
         * Tells how the platform is
         * @description Tells how the platform is: a check is false when any service says so, or does not answer within two seconds. It is at most a second old. Nobody is asked for a token.
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
         * Shows what the platform does
         * @description Shows what the platform does, in the text format of Prometheus: the metrics of all processes that are alive, summed up. Operators may ask for a token of their own, `Authorization: Bearer …`, which is none of the API.
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
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A key of a tenant. */
        ApiKey: {
            /** @description Id of the key. */
            id: string;
            /** @description The tenant. */
            tenant_id: string;
            /** @description Name, for people. */
            name: string;
            /** @description What the secret begins with, to tell keys apart. */
            prefix: string;
            /** @description What the key may do, as long as its user may, sorted. */
            permissions: string[];
            /** @description The user who made the key, for whom it acts. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When it stops to work; absent when it never does.
             */
            expires_at?: string;
            /**
             * Format: date-time
             * @description When it was used last, to the minute; absent while it never was.
             */
            last_used_at?: string;
            /** @description The secret, in the answer to the creation alone. */
            secret?: string;
        };
        /** @description One member of a record that changed. */
        AuditChange: {
            /** @description JSON pointer (RFC 6901) into the record. */
            path: string;
            /** @description What was there; absent when nothing was. A value of more than 1,000 characters of JSON is told by its length. */
            before?: unknown;
            /** @description What is there; absent when nothing is. A value of more than 1,000 characters of JSON is told by its length. */
            after?: unknown;
        };
        /** @description A change of a record, by somebody. */
        AuditEvent: {
            /** @description Id of the event. */
            id: string;
            /** @description What was done, for example `survey.published`. */
            action: string;
            /** @description Id of the user who did it, or the name of the service that did so by itself. */
            actor: string;
            /** @description Kind of record, for example `survey`. */
            resource_type: string;
            /** @description Id of the record. */
            resource_id: string;
            /** @description What is different now, the first 100 changes at the most; one with an empty path tells how many there are beside. Secrets, passwords and answers are never told. */
            changes: components["schemas"]["AuditChange"][];
            /** @description Id of the request that did it; empty where there was none. */
            request_id: string;
            /**
             * Format: date-time
             * @description When it was done.
             */
            created_at?: string;
        };
        /** @description The count. */
        CountResponsesResponse: {
            /** @description How many responses the survey has. */
            count: number;
        };
        /** @description The new tokens. */
        CreateLinkTokensResponse: {
            /** @description The new tokens. */
            tokens: string[];
        };
        /** @description A day. */
        DayCount: {
            /** @description The day: YYYY-MM-DD. */
            day: string;
            /** @description How many there are. */
            count: number;
        };
        /** @description Something that is wrong, or worth a look, in a definition. */
        DefinitionProblem: {
            /** @description JSON pointer (RFC 6901) into the creation payload. */
            path: string;
            /** @description Stable code, for example `UNKNOWN_SOURCE`. */
            code: string;
            /** @description Explanation for people. */
            detail: string;
            /** @description The question at fault, where there is one. */
            question_id?: string;
        };
        /** @description An event on its way to a webhook. */
        Delivery: {
            /** @description Id of the delivery: `X-Service-Delivery` and `webhook-id` of every attempt. */
            id: string;
            /** @description The webhook that it goes to. */
            webhook_id: string;
            /** @description Type of the event. */
            event_type: string;
            /** @description What is sent. Answers are shown only to callers who may read responses. */
            payload?: {
                [key: string]: unknown;
            };
            /** @description `pending` before the first attempt, then `delivered` or `failed`. A failed one with a `next_attempt_at` is tried again. */
            status: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at?: string;
            /** @description What happened so far. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /**
             * Format: date-time
             * @description When it is tried next; absent when it is not.
             */
            next_attempt_at?: string;
            /** @description Why a failed one is not tried again: `retries_exhausted`, `webhook_disabled` (also without an attempt, or by an answer of 410), `webhook_deleted`, or `answers_unreadable` (without an attempt: the webhook asks for answers, and those of this response could not be read for a day). */
            failure_reason?: string;
            /** @description Id of the event: the same for all webhooks that it goes to. */
            event_id: string;
        };
        /** @description One try to send a delivery. */
        DeliveryAttempt: {
            /**
             * Format: int32
             * @description Counted from 1.
             */
            number: number;
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at?: string;
            /**
             * Format: int32
             * @description How long it took, in milliseconds.
             */
            duration_ms: number;
            /**
             * Format: int32
             * @description HTTP status of the answer, when there was one.
             */
            status_code?: number;
            /** @description Content type of the answer. */
            content_type?: string;
            /** @description The first 1000 characters of the answer; absent for who may not read the answers that were sent. */
            response_excerpt?: string;
            /** @description What went wrong. */
            error?: string;
            /** @description What it was for: `schedule`, `redeliver`, `replay` or `test`. */
            trigger: string;
        };
        /** @description Where respondents stopped. */
        DropOff: {
            /** @description The last question that they answered; empty when they answered none. */
            question_id: string;
            /** @description How many stopped there. */
            count: number;
        };
        /** @description A type of event. */
        EventType: {
            /** @description For example `response.submitted`. */
            name: string;
            /** @description When it happens. */
            description: string;
            /** @description JSON Schema (2020-12) of the `data` of its events. */
            schema?: {
                [key: string]: unknown;
            };
            /** @description An example of what is sent. */
            example?: {
                [key: string]: unknown;
            };
        };
        /** @description The responses of a survey, summed up. */
        GetSummaryResponse: {
            /** @description How many completed responses there are. */
            responses: number;
            /** @description How many of them were completed on each day that has any, in order. */
            by_day: components["schemas"]["DayCount"][];
            /** @description What was answered to each question, in the order of the latest version; questions of earlier versions follow. */
            questions: components["schemas"]["QuestionSummary"][];
            /** @description Of the responses that were begun and not completed: the last question that each of them answers. */
            drop_off: components["schemas"]["DropOff"][];
        };
        /** @description How the platform is. */
        Health: {
            /**
             * @description Whether all checks are well.
             * @enum {string}
             */
            status: "healthy" | "unhealthy";
            /** @description What all services together depend on. */
            checks: {
                /** @description Whether every service reaches its database. */
                database: boolean;
                /** @description Whether every service reaches the queue of events. */
                queue: boolean;
            };
        };
        /** @description An import, from its beginning. */
        Import: {
            /** @description UUID of the import. */
            id: string;
            /** @description UUID of the tenant. */
            tenant_id: string;
            /** @description The survey that it makes, or adds responses to. */
            survey_id: string;
            /** @description The tool that the file comes from. */
            source: string;
            /** @description The file's format. */
            format: string;
            /** @description `running`, `cancelling`, `completed`, `failed` or `cancelled`. It has failed when nothing could be stored, none of the responses, or when the file could not be read to its end. */
            status: string;
            /** @description Whether nothing is stored. */
            dry_run: boolean;
            /** @description How far it is. */
            progress?: components["schemas"]["ImportProgress"];
            /**
             * Format: int32
             * @description How many questions the survey has, as soon as that is known.
             */
            questions: number;
            /** @description What was taken over differently than it stood in the file, the first 100. */
            warnings: components["schemas"]["ImportWarning"][];
            /** @description The first 100 refused responses, once it is over. */
            errors: components["schemas"]["ImportError"][];
            /** @description Who began it. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When it was over.
             */
            finished_at?: string;
            /**
             * Format: int32
             * @description How many responses the file holds, once it is over.
             */
            total?: number;
            /**
             * Format: int32
             * @description How many of them were stored, once it is over.
             */
            imported?: number;
            /**
             * Format: int32
             * @description How many were there already, once it is over.
             */
            skipped?: number;
            /**
             * Format: int32
             * @description How many were refused, once it is over.
             */
            failed?: number;
        };
        /** @description A response that was refused. */
        ImportError: {
            /**
             * Format: int32
             * @description Position in the file, from 0.
             */
            index: number;
            /** @description Id that the file gives the response, empty when it has none. */
            id: string;
            /** @description Stable code. */
            code: string;
            /** @description Explanation for people. */
            detail: string;
        };
        /** @description What an import should do and leave. */
        ImportOptions: {
            /** @description Keep the ids of questions, options and responses (default true). A response id that is no UUID becomes its `external_id`, and the UUID follows from it, so that importing a file twice into one survey imports nothing twice. The same goes for a UUID that is taken, by the responses of the same file in another survey for example. */
            preserve_ids?: boolean;
            /** @description Refuse a survey whose definition has errors (default true); else they come as warnings. */
            validate_logic?: boolean;
            /** @description Import the responses that the file holds (default true). */
            import_responses?: boolean;
            /** @description Title of a survey whose file has none. */
            title?: string;
            /** @description Language of a file that names none (default `en`). */
            language?: string;
            /** @description Only tell what the import would do, as far as the file and the survey tell; nothing is stored (default false). */
            dry_run?: boolean;
            /** @description Tell webhooks of the imported responses, as of any others (default true). */
            emit_events?: boolean;
        };
        /** @description How far an import is. */
        ImportProgress: {
            /** @description Bytes of the file that are read. */
            bytes: number;
            /** @description Bytes that the file has. */
            total_bytes: number;
            /**
             * Format: int32
             * @description Responses that are done with.
             */
            rows: number;
            /**
             * Format: int32
             * @description How many of them are stored now.
             */
            imported: number;
            /**
             * Format: int32
             * @description How many were there already.
             */
            skipped: number;
            /**
             * Format: int32
             * @description How many were refused.
             */
            failed: number;
        };
        /** @description What an import did. */
        ImportReport: {
            /** @description Id of the import. */
            id: string;
            /** @description The tool that the file comes from. */
            source: string;
            /** @description The file's format. */
            format: string;
            /** @description `completed`, `cancelled`, or `failed`: nothing could be stored, none of the responses, or the file could not be read to its end. */
            status: string;
            /**
             * Format: int32
             * @description How many responses the file holds.
             */
            total: number;
            /**
             * Format: int32
             * @description How many of them are stored now.
             */
            imported: number;
            /**
             * Format: int32
             * @description How many were there already.
             */
            skipped: number;
            /**
             * Format: int32
             * @description How many were refused.
             */
            failed: number;
            /**
             * Format: int32
             * @description How many questions the survey has.
             */
            questions: number;
            /** @description What was taken over differently than it stood in the file. */
            warnings: components["schemas"]["ImportWarning"][];
            /** @description The first 100 refused responses. */
            errors: components["schemas"]["ImportError"][];
        };
        /** @description Something that was taken over differently than it stood in the file. */
        ImportWarning: {
            /** @description Stable code. */
            code: string;
            /** @description JSON pointer into the file. */
            path: string;
            /** @description Explanation for people. */
            detail: string;
        };
        /** @description An address of a survey that can be handed out. */
        Link: {
            /** @description Id of the link. */
            id: string;
            /** @description The survey that it leads to. */
            survey_id: string;
            /** @description The last part of its address, unique on the platform: `/v1/public/links/{slug}`. */
            slug: string;
            /** @description Whether it is switched on. */
            active: boolean;
            /**
             * Format: date-time
             * @description When it stops to work; absent when it never does.
             */
            expires_at?: string;
            /**
             * Format: int32
             * @description How many responses come through it at the most; as many as there are when absent.
             */
            max_responses?: number;
            /** @description Whether each of its tokens is good for one response, and none comes without. */
            single_use: boolean;
            /** @description Whether visitors have to know a password. */
            has_password: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updated_at?: string;
            /** @description User that made it. */
            created_by: string;
            /** @description User that changed it last. */
            updated_by: string;
            /** @description The new tokens of a single-use link, in the answer that makes it alone. */
            tokens: string[];
        };
        /** @description The caller, as the platform sees it. */
        Me: {
            /** @description Id of the tenant that the token names. */
            tenant_id: string;
            /** @description Id of the user: the token's subject. */
            user_id: string;
            /** @description Role in the tenant: viewer, analyst, editor, admin or owner. */
            role: string;
            /** @description Everything that the token lets the user do, sorted. */
            permissions: string[];
        };
        /** @description How often an option was chosen. */
        OptionSummary: {
            /** @description Id of the option; `other` for a text of one's own. */
            id: string;
            /** @description How often. */
            count: number;
            /** @description Of the responses that answer the question, or the row: 0 to 1. */
            share: number;
        };
        /** @description What went wrong (RFC 9457). */
        Problem: {
            /** @description A URN of the code. */
            type: string;
            /** @description The code as words. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What went wrong, for people. */
            detail: string;
            /**
             * @description A stable code.
             * @enum {string}
             */
            code: "INVALID_REQUEST" | "IDEMPOTENCY_KEY_WEAK" | "INVALID_CURSOR" | "INVALID_TOKEN" | "PERMISSION_DENIED" | "LINK_PASSWORD_WRONG" | "LINK_TOKEN_WRONG" | "LINKS_ONLY" | "ROUTE_NOT_FOUND" | "TENANT_NOT_FOUND" | "USER_NOT_FOUND" | "API_KEY_NOT_FOUND" | "PROJECT_NOT_FOUND" | "LINK_NOT_FOUND" | "VERSION_NOT_FOUND" | "DRAFT_NOT_FOUND" | "SURVEY_NOT_FOUND" | "RESPONSE_NOT_FOUND" | "FILE_NOT_FOUND" | "WEBHOOK_NOT_FOUND" | "IMPORT_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "REPLAY_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "ALREADY_EXISTS" | "SURVEY_NOT_OPEN_YET" | "SURVEY_CLOSED" | "RESPONSE_LIMIT_REACHED" | "STATE_CONFLICT" | "LAST_OWNER" | "VERSION_CONFLICT" | "SLUG_TAKEN" | "PROJECT_NOT_EMPTY" | "IDEMPOTENCY_KEY_REUSED" | "LINK_EXPIRED" | "LINK_USED_UP" | "RESPONSE_DELETED" | "IMPORT_FILE_GONE" | "PRECONDITION_FAILED" | "BODY_TOO_LARGE" | "MESSAGE_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_FAILED" | "INVALID_DEFINITION" | "INVALID_ANSWERS" | "INVALID_FILE" | "INVALID_IMPORT" | "WEBHOOK_URL_REFUSED" | "TOO_MANY_REQUESTS" | "CANCELLED" | "INTERNAL" | "UPSTREAM_INVALID" | "UNAVAILABLE" | "OVERLOADED" | "DEADLINE_EXCEEDED";
            /** @description Names the request in our logs. */
            request_id: string;
            /** @description The fields at fault. */
            errors?: {
                /** @description A JSON pointer (RFC 6901). */
                path: string;
                /**
                 * @description A stable code. Besides the codes of definitions, answers and single operations these are:
                 *
                 *     `WRONG_TYPE`: The value has another type.
                 *
                 *     `UNKNOWN_FIELD`: The body has no such member, or the path sets it.
                 *
                 *     `UNKNOWN_PARAMETER`: There is no such query parameter.
                 *
                 *     `REPEATED`: A query parameter is there more than once.
                 *
                 *     `DUPLICATE_MEMBER`: An object has the member twice.
                 *
                 *     `FORBIDDEN_NAME`: A member is named `__proto__`.
                 *
                 *     `NUMBER_OUT_OF_RANGE`: The number is beyond ±(2^53 - 1).
                 *
                 *     `TOO_DEEP`: The JSON has more than 64 levels.
                 *
                 *     `REQUIRED`: The member is missing.
                 *
                 *     `TOO_SHORT`: The text has too few characters.
                 *
                 *     `TOO_LONG`: The text has too many characters.
                 *
                 *     `TOO_FEW`: The list or object has too few items.
                 *
                 *     `TOO_MANY`: The list or object has too many items.
                 *
                 *     `DUPLICATE_ITEM`: The list has an item twice.
                 *
                 *     `OUT_OF_RANGE`: The number is too small or too large.
                 *
                 *     `UNKNOWN_VALUE`: The value is not one of the allowed values.
                 *
                 *     `BAD_FORMAT`: The text does not have the required format, such as a UUID or an email address.
                 *
                 *     `INVALID`: The value breaks another rule.
                 */
                code: string;
                /** @description What is wrong, for people. */
                detail: string;
                /** @description The question of a survey definition that it is about. */
                question_id?: string;
            }[];
        };
        /** @description A folder that surveys can be in. */
        Project: {
            /** @description Id of the project. */
            id: string;
            /** @description Name, for people. */
            name: string;
            /** @description What it is for. */
            description: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updated_at?: string;
            /** @description User that made it. */
            created_by: string;
            /** @description User that changed it last. */
            updated_by: string;
        };
        /** @description A file that a respondent has uploaded. */
        PublicFile: {
            /** @description Id of the file, for the answer. */
            file_id: string;
            /** @description Its name; absent when none was told. */
            filename?: string;
            /** @description Its kind, as its bytes show: a media type. */
            content_type: string;
            /** @description Its length in bytes. */
            size: number;
            /**
             * Format: date-time
             * @description When it is deleted unless an answer names it.
             */
            expires_at?: string;
        };
        /** @description An answer in progress, as its respondent sees it. */
        PublicResponse: {
            /** @description Id of the response. */
            id: string;
            /** @description `in_progress`, `completed` or `disqualified`. */
            status: string;
            /** @description The survey that it answers. */
            survey_id: string;
            /**
             * Format: int32
             * @description Version of the definition that it answers.
             */
            survey_version: number;
            /** @description The answers so far: question id → value. */
            data?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was stored first.
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When it was saved last.
             */
            updated_at?: string;
            /**
             * Format: date-time
             * @description When it was completed; absent while it is in progress.
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
            definition?: {
                [key: string]: unknown;
            };
            /** @description Languages that the survey is offered in, the first is the default: the declared ones, or fewer by its settings. */
            languages: string[];
        };
        /** @description What was answered to a question. */
        QuestionSummary: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Type of the question. */
            type: string;
            /** @description How many responses answer it. */
            answered: number;
            /** @description How many responses do not. */
            skipped: number;
            /** @description How often each option was chosen, for a question with options. */
            options: components["schemas"]["OptionSummary"][];
            /** @description Mean of the numbers, for a question of numbers; absent while there are none. */
            mean?: number;
            /** @description Median of the numbers; of an even number of them the mean of the two in the middle. Absent where the answers hold more than a million different numbers. */
            median?: number;
            /** @description Standard deviation of the numbers, of the population. */
            stddev?: number;
            /** @description The least number. */
            min?: number;
            /** @description The greatest number. */
            max?: number;
            /** @description What was chosen in each row, for a question with rows. */
            rows: components["schemas"]["RowSummary"][];
        };
        /** @description A job that sends what a webhook was to be sent once more. */
        Replay: {
            /** @description Id of the replay. */
            id: string;
            /** @description The webhook. */
            webhook_id: string;
            /** @description `running`, `completed`, `cancelled` or `failed` (the webhook was deleted or switched off meanwhile). */
            status: string;
            /**
             * Format: date-time
             * @description Deliveries made at this time or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Deliveries made before this time.
             */
            until?: string;
            /** @description Only deliveries in these states; those in all when there are none here. */
            statuses: string[];
            /** @description Only deliveries of these types; those of all when there are none here. */
            event_types: string[];
            /** @description How many deliveries it is about. */
            total: number;
            /** @description How many of them it has scheduled so far. */
            replayed: number;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When it ended; absent before.
             */
            finished_at?: string;
        };
        /** @description One respondent's answers to a survey. */
        Response: {
            /** @description Id of the response. */
            id: string;
            /** @description The tenant that it belongs to. */
            tenant_id: string;
            /** @description The survey that it answers. */
            survey_id: string;
            /** @description `in_progress`, `completed`, `disqualified` or `abandoned`. */
            status: string;
            /** @description The answers: question id → value. */
            data?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was stored.
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When the respondent began; absent when not told.
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description When it was completed or disqualified; absent before.
             */
            completed_at?: string;
            /**
             * Format: int32
             * @description Version of the definition that it answers.
             */
            survey_version: number;
            /** @description Id that it had in the file it was imported from. */
            external_id?: string;
            /** @description What the client sent along. */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updated_at?: string;
            /** @description The language that it was answered in; absent when not told. */
            language?: string;
            /** @description The link that it came through; absent when it came without. */
            link_id?: string;
        };
        /** @description What was chosen in a row. */
        RowSummary: {
            /** @description Id of the row. */
            id: string;
            /** @description How many responses answer it. */
            answered: number;
            /** @description How often each option or column was chosen. */
            options: components["schemas"]["OptionSummary"][];
        };
        /** @description A change of a secret. */
        SecretRotation: {
            /** @description Id of the webhook. */
            webhook_id: string;
            /** @description The new secret, in this answer alone. */
            secret: string;
            /**
             * Format: date-time
             * @description Until when the one before signs too; absent when it does not any more.
             */
            previous_secret_expires_at?: string;
        };
        /** @description What a respondent learns of the stored response. */
        SubmittedResponse: {
            /** @description Id of the response. */
            id: string;
            /** @description `in_progress`, `completed` or `disqualified`. */
            status: string;
            /** @description The survey that it answers. */
            survey_id: string;
            /**
             * Format: int32
             * @description Version of the definition that it answers.
             */
            survey_version: number;
            /**
             * Format: date-time
             * @description When it was stored.
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When it was completed; absent while it is in progress.
             */
            completed_at?: string;
            /** @description Lets the respondent go on with an answer in progress, in the header `Resume-Token`; in the answer that makes it alone. */
            resume_token?: string;
        };
        /** @description A survey of a tenant. */
        Survey: {
            /** @description Id of the survey. */
            id: string;
            /** @description The tenant that it belongs to. */
            tenant_id: string;
            /** @description Title, languages, pages with questions, logic: the `survey` member of the creation payload, with ids for the questions that came without. */
            definition?: {
                [key: string]: unknown;
            };
            /** @description Version of the definition's format, for example `1.0`. */
            schema_version: string;
            /**
             * Format: int32
             * @description Number of this version of the definition.
             */
            version: number;
            /** @description `draft`, `active` or `closed`. */
            status: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updated_at?: string;
            /** @description User that made it. */
            created_by: string;
            /** @description User that changed it last. */
            updated_by: string;
            /**
             * Format: date-time
             * @description When it was published last; absent while it never was.
             */
            published_at?: string;
            /** @description Report of the import that made it, in the answer to that import alone. */
            import?: components["schemas"]["ImportReport"];
            /** @description The project that it is in; absent when it is in none. */
            project_id?: string;
            /** @description Who may answer, when, and how often. */
            settings?: components["schemas"]["SurveySettings"];
            /** @description Whether a newer definition waits beside the live one, to be published. */
            has_draft: boolean;
            /**
             * Format: date-time
             * @description When it was deleted; absent while it is not.
             */
            deleted_at?: string;
            /** @description User that deleted it. */
            deleted_by?: string;
        };
        /** @description A definition that waits beside a live one. */
        SurveyDraft: {
            /** @description The survey. */
            survey_id: string;
            /**
             * Format: int32
             * @description The version that was edited: the draft can be published while this is the latest one.
             */
            based_on: number;
            /** @description Version of the definition's format. */
            schema_version: string;
            /** @description The definition. */
            definition?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was saved.
             */
            updated_at?: string;
            /** @description User that saved it. */
            updated_by: string;
        };
        /** @description The creation payload, for a survey that is there. */
        SurveyPayload: {
            /** @description Version of the definition's format: two numbers with a dot between them. */
            schema_version?: string;
            /**
             * Format: int32
             * @description The version that was edited: the latest one.
             */
            version?: number;
            /** @description The definition, as at creation. */
            survey?: {
                [key: string]: unknown;
            };
            /**
             * Format: uuid
             * @description The project that it is to be in; as it was when absent. Not with a draft.
             */
            project_id?: string;
            /** @description Who may answer, when, and how often, in place of what was; as it was when absent. Not with a draft. */
            settings?: components["schemas"]["SurveySettings"];
        };
        /** @description Narrows who may answer an active survey, and when. */
        SurveySettings: {
            /**
             * Format: date-time
             * @description No answers are taken before.
             */
            opens_at?: string;
            /**
             * Format: date-time
             * @description The survey closes then by itself.
             */
            closes_at?: string;
            /**
             * Format: int32
             * @description How many completed responses are taken at the most.
             */
            response_limit?: number;
            /**
             * @description `open`: whoever knows the survey's id may answer, which is also the default; `links_only`: only through a link.
             * @enum {string}
             */
            access?: "open" | "links_only";
            /** @description The declared languages that the survey is offered in; all of them when there are none here. */
            languages?: string[];
            /**
             * Format: int32
             * @description Responses are deleted this many days after they were created or imported; kept without end when absent.
             */
            retention_days?: number;
        };
        /** @description Narrows who may answer an active survey, and when. */
        SurveySettingsPatch: {
            /** @description No answers are taken before. */
            opens_at?: string | null;
            /** @description The survey closes then by itself. */
            closes_at?: string | null;
            /** @description How many completed responses are taken at the most. */
            response_limit?: number | null;
            /** @description `open`: whoever knows the survey's id may answer, which is also the default; `links_only`: only through a link. */
            access?: ("open" | "links_only") | null;
            /** @description The declared languages that the survey is offered in; all of them when there are none here. */
            languages?: string[] | null;
            /** @description Responses are deleted this many days after they were created or imported; kept without end when absent. */
            retention_days?: number | null;
        };
        /** @description A version of a survey's definition. It never changes. */
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
            /** @description The definition; not in lists. */
            definition?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at?: string;
            /** @description User that made it. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was live first, so that responses may name it; absent while it never was.
             */
            published_at?: string;
        };
        /** @description A customer of the platform; everything else belongs to one. */
        Tenant: {
            /** @description Id of the tenant. */
            id: string;
            /** @description Name, for people. */
            name: string;
            /** @description `active`; the tokens of a tenant in any other state are refused. */
            status: string;
            /**
             * Format: date-time
             * @description When the tenant was made.
             */
            created_at?: string;
            /** @description Limits of its own; those that are absent are the platform's. */
            limits?: components["schemas"]["TenantLimits"];
        };
        /** @description How much a tenant may use of the platform. What is over it is answered with 429. */
        TenantLimits: {
            /**
             * Format: int32
             * @description Requests with tokens and API keys in a minute, over all routes. Of imports, exports and summaries a quarter of that.
             */
            requests_per_minute?: number;
            /**
             * Format: int32
             * @description Requests under way at the same time, by each gateway. Of imports, exports and summaries a quarter of that.
             */
            concurrent_requests?: number;
        };
        /** @description A user of a tenant. */
        User: {
            /** @description Id of the user: the `sub` of the user's tokens. */
            id: string;
            /** @description The tenant. */
            tenant_id: string;
            /** @description E-mail address. */
            email: string;
            /** @description Role in the tenant: viewer, analyst, editor, admin or owner, each with the permissions of those before it. */
            role: string;
            /** @description Single permissions beyond those of the role. */
            permissions: string[];
            /**
             * Format: date-time
             * @description When the user was added.
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When the user was changed last.
             */
            updated_at?: string;
        };
        /** @description The outcome of a check. */
        ValidatePayloadResponse: {
            /** @description Whether there are no errors: such a survey can be published. */
            valid: boolean;
            /** @description What has to be mended before the survey can be published. */
            errors: components["schemas"]["DefinitionProblem"][];
            /** @description What is worth a look. */
            warnings: components["schemas"]["DefinitionProblem"][];
        };
        /** @description The outcome of a check. */
        ValidateSurveyResponse: {
            /** @description Whether there are no errors: such a survey can be published. */
            valid: boolean;
            /** @description What has to be mended before the survey can be published. */
            errors: components["schemas"]["DefinitionProblem"][];
            /** @description What is worth a look. */
            warnings: components["schemas"]["DefinitionProblem"][];
        };
        /** @description An address that events are sent to. */
        Webhook: {
            /** @description Id of the webhook. */
            id: string;
            /** @description The tenant that it belongs to. */
            tenant_id: string;
            /** @description Where events are sent. */
            url: string;
            /** @description Which events are sent: names, `survey.*` for a family, or `*`. */
            event_types: string[];
            /** @description Whether events are sent. */
            active: boolean;
            /** @description A note for people. */
            description: string;
            /** @description Key of the signatures, in the answer to its creation alone. */
            secret?: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updated_at?: string;
            /** @description Why it was switched off by us: `gone`, when it answered 410; `failing`, when everything failed for good for days. Its events are kept as failed deliveries since, and can be replayed. */
            disabled_reason?: string;
            /** @description Headers that every request has. Their values are shown as `********`. */
            headers?: {
                [key: string]: unknown;
            };
            /** @description Only events of these surveys are sent; those of all when there are none here. Events that are of no survey are sent all the same. */
            survey_ids: string[];
            /** @description Whether `response.submitted` and `response.updated` carry the answers. */
            include_answers: boolean;
            /**
             * Format: date-time
             * @description Until when the secret before the last one signs too; absent when it does not.
             */
            previous_secret_expires_at?: string;
        };
    };
    responses: {
        /**
         * @description `ALREADY_EXISTS`: It exists already.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: This Idempotency-Key came before with another body, or from a caller who may do something else.
         */
        "ALREADY_EXISTS.IDEMPOTENCY_KEY_REUSED": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `ALREADY_EXISTS`: It exists already.
         *
         *     `LAST_OWNER`: The last owner of a tenant can be neither removed nor demoted.
         *
         *     `VERSION_CONFLICT`: The record was changed in the meantime.
         */
        "ALREADY_EXISTS.LAST_OWNER.VERSION_CONFLICT": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `API_KEY_NOT_FOUND`: API key not found. */
        API_KEY_NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `BODY_TOO_LARGE`: The body is over the limit of this route. */
        BODY_TOO_LARGE: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `DELIVERY_NOT_FOUND`: Delivery not found. */
        DELIVERY_NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `DRAFT_NOT_FOUND`: The survey has no draft that waits to be published.
         *
         *     `SURVEY_NOT_FOUND`: Survey not found.
         */
        "DRAFT_NOT_FOUND.SURVEY_NOT_FOUND": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `FILE_NOT_FOUND`: File not found. */
        FILE_NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `IDEMPOTENCY_KEY_REUSED`: This Idempotency-Key came before with another body, or from a caller who may do something else. */
        IDEMPOTENCY_KEY_REUSED: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `IMPORT_NOT_FOUND`: Import not found. */
        IMPORT_NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `INTERNAL`: Something went wrong on our side. */
        INTERNAL: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `INTERNAL`: Something went wrong on our side.
         *
         *     `UPSTREAM_INVALID`: A service gave no usable answer.
         *
         *     `DEADLINE_EXCEEDED`: The answer took too long.
         */
        "INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `INVALID_FILE`: The file is none that the question takes. */
        INVALID_FILE: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `INVALID_REQUEST`: The request is malformed. */
        INVALID_REQUEST: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `INVALID_REQUEST`: The request is malformed.
         *
         *     `IDEMPOTENCY_KEY_WEAK`: Without a token, Idempotency-Key has to be a random UUID (version 4 or 7).
         */
        "INVALID_REQUEST.IDEMPOTENCY_KEY_WEAK": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `INVALID_REQUEST`: The request is malformed.
         *
         *     `INVALID_CURSOR`: The cursor is not one that this list gave out.
         */
        "INVALID_REQUEST.INVALID_CURSOR": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `INVALID_TOKEN`: Invalid token. */
        INVALID_TOKEN: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LAST_OWNER`: The last owner of a tenant can be neither removed nor demoted.
         *
         *     `VERSION_CONFLICT`: The record was changed in the meantime.
         */
        "LAST_OWNER.VERSION_CONFLICT": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LINKS_ONLY`: The survey can only be answered through a link. */
        LINKS_ONLY: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LINK_EXPIRED`: The link has expired.
         *
         *     `LINK_USED_UP`: The link has been used up.
         */
        "LINK_EXPIRED.LINK_USED_UP": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LINK_EXPIRED`: The link has expired.
         *
         *     `LINK_USED_UP`: The link has been used up.
         *
         *     `RESPONSE_DELETED`: The response that this Idempotency-Key made has been deleted.
         */
        "LINK_EXPIRED.LINK_USED_UP.RESPONSE_DELETED": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LINK_NOT_FOUND`: Link not found. */
        LINK_NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LINK_NOT_FOUND`: Link not found.
         *
         *     `SURVEY_NOT_FOUND`: Survey not found.
         */
        "LINK_NOT_FOUND.SURVEY_NOT_FOUND": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LINK_NOT_FOUND`: Link not found.
         *
         *     `SURVEY_NOT_FOUND`: Survey not found.
         *
         *     `RESPONSE_NOT_FOUND`: Response not found.
         */
        "LINK_NOT_FOUND.SURVEY_NOT_FOUND.RESPONSE_NOT_FOUND": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LINK_PASSWORD_WRONG`: The link needs its password.
         *
         *     `LINK_TOKEN_WRONG`: The link needs one of its tokens.
         */
        "LINK_PASSWORD_WRONG.LINK_TOKEN_WRONG": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `NOT_ACCEPTABLE`: Only application/json can be sent back. */
        NOT_ACCEPTABLE: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `PERMISSION_DENIED`: Permission required. */
        PERMISSION_DENIED: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `PRECONDITION_FAILED`: The record is not as If-Match says. */
        PRECONDITION_FAILED: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `PROJECT_NOT_FOUND`: Project not found. */
        PROJECT_NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `REPLAY_NOT_FOUND`: Replay not found. */
        REPLAY_NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `RESPONSE_DELETED`: The response that this Idempotency-Key made has been deleted. */
        RESPONSE_DELETED: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `RESPONSE_NOT_FOUND`: Response not found. */
        RESPONSE_NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `SLUG_TAKEN`: Another link has this slug.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: This Idempotency-Key came before with another body, or from a caller who may do something else.
         */
        "SLUG_TAKEN.IDEMPOTENCY_KEY_REUSED": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `STATE_CONFLICT`: The record is in a state that does not allow this.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: This Idempotency-Key came before with another body, or from a caller who may do something else.
         */
        "STATE_CONFLICT.IDEMPOTENCY_KEY_REUSED": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `STATE_CONFLICT`: The record is in a state that does not allow this.
         *
         *     `VERSION_CONFLICT`: The record was changed in the meantime.
         */
        "STATE_CONFLICT.VERSION_CONFLICT": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `STATE_CONFLICT`: The record is in a state that does not allow this.
         *
         *     `VERSION_CONFLICT`: The record was changed in the meantime.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: This Idempotency-Key came before with another body, or from a caller who may do something else.
         */
        "STATE_CONFLICT.VERSION_CONFLICT.IDEMPOTENCY_KEY_REUSED": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `SURVEY_NOT_FOUND`: Survey not found. */
        SURVEY_NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `SURVEY_NOT_FOUND`: Survey not found.
         *
         *     `RESPONSE_NOT_FOUND`: Response not found.
         */
        "SURVEY_NOT_FOUND.RESPONSE_NOT_FOUND": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `SURVEY_NOT_OPEN_YET`: The survey takes no answers now.
         *
         *     `SURVEY_CLOSED`: The survey is closed.
         *
         *     `RESPONSE_LIMIT_REACHED`: The survey has as many responses as it takes.
         */
        "SURVEY_NOT_OPEN_YET.SURVEY_CLOSED.RESPONSE_LIMIT_REACHED": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `SURVEY_NOT_OPEN_YET`: The survey takes no answers now.
         *
         *     `SURVEY_CLOSED`: The survey is closed.
         *
         *     `RESPONSE_LIMIT_REACHED`: The survey has as many responses as it takes.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: This Idempotency-Key came before with another body, or from a caller who may do something else.
         */
        "SURVEY_NOT_OPEN_YET.SURVEY_CLOSED.RESPONSE_LIMIT_REACHED.IDEMPOTENCY_KEY_REUSED": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `SURVEY_NOT_OPEN_YET`: The survey takes no answers now.
         *
         *     `SURVEY_CLOSED`: The survey is closed.
         *
         *     `RESPONSE_LIMIT_REACHED`: The survey has as many responses as it takes.
         *
         *     `STATE_CONFLICT`: The record is in a state that does not allow this.
         *
         *     `VERSION_CONFLICT`: The record was changed in the meantime.
         */
        "SURVEY_NOT_OPEN_YET.SURVEY_CLOSED.RESPONSE_LIMIT_REACHED.STATE_CONFLICT.VERSION_CONFLICT": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `TOO_MANY_REQUESTS`: Too many requests. */
        TOO_MANY_REQUESTS: {
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
         * @description `UNAVAILABLE`: The service cannot answer now, try again.
         *
         *     `OVERLOADED`: Too much work is waiting, try again.
         */
        "UNAVAILABLE.OVERLOADED": {
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
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The body has to be application/json in UTF-8, not compressed. */
        UNSUPPORTED_MEDIA_TYPE: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `USER_NOT_FOUND`: User not found. */
        USER_NOT_FOUND: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `VALIDATION_FAILED`: The request breaks the rules of its fields. */
        VALIDATION_FAILED: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request breaks the rules of its fields.
         *
         *     `INVALID_ANSWERS`: The answers do not fit the survey.
         */
        "VALIDATION_FAILED.INVALID_ANSWERS": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request breaks the rules of its fields.
         *
         *     `INVALID_DEFINITION`: The survey definition has errors.
         */
        "VALIDATION_FAILED.INVALID_DEFINITION": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request breaks the rules of its fields.
         *
         *     `INVALID_DEFINITION`: The survey definition has errors.
         *
         *     `INVALID_IMPORT`: The import cannot be read.
         */
        "VALIDATION_FAILED.INVALID_DEFINITION.INVALID_IMPORT": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request breaks the rules of its fields.
         *
         *     `INVALID_IMPORT`: The import cannot be read.
         */
        "VALIDATION_FAILED.INVALID_IMPORT": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request breaks the rules of its fields.
         *
         *     `WEBHOOK_URL_REFUSED`: Webhooks cannot be sent to this address.
         */
        "VALIDATION_FAILED.WEBHOOK_URL_REFUSED": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `VERSION_CONFLICT`: The record was changed in the meantime. */
        VERSION_CONFLICT: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `VERSION_CONFLICT`: The record was changed in the meantime.
         *
         *     `IDEMPOTENCY_KEY_REUSED`: This Idempotency-Key came before with another body, or from a caller who may do something else.
         */
        "VERSION_CONFLICT.IDEMPOTENCY_KEY_REUSED": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `VERSION_CONFLICT`: The record was changed in the meantime.
         *
         *     `PROJECT_NOT_EMPTY`: There are surveys in the project.
         */
        "VERSION_CONFLICT.PROJECT_NOT_EMPTY": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `VERSION_CONFLICT`: The record was changed in the meantime.
         *
         *     `SLUG_TAKEN`: Another link has this slug.
         */
        "VERSION_CONFLICT.SLUG_TAKEN": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `VERSION_NOT_FOUND`: The survey has no such version.
         *
         *     `SURVEY_NOT_FOUND`: Survey not found.
         */
        "VERSION_NOT_FOUND.SURVEY_NOT_FOUND": {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `WEBHOOK_NOT_FOUND`: Webhook not found. */
        WEBHOOK_NOT_FOUND: {
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
        /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
        IdempotencyKey: string;
        /** @description A random UUID, version 4 or 7. It makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gets the first reply again. With another body it is refused. */
        PublicIdempotencyKey: string;
        /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
        IfMatch: string;
        /** @description Entity tags of what the caller has already: it is not sent again then. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description Names the request in our logs. */
        RequestId: string;
        /** @description Path of the new record. */
        Location: string;
        /** @description Names what was answered, for `If-None-Match`, and the revision of a record, for `If-Match`. */
        ETag: string;
        /** @description What is left of which quota, and for how many seconds. */
        RateLimit: string;
        /** @description The quota: so many requests in so many seconds. */
        RateLimitPolicy: string;
        /** @description `true` when this is the answer to an earlier request with the same `Idempotency-Key`. */
        IdempotencyReplayed: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listSurveys: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
                cursor?: string;
                /** @description Only surveys in this state. */
                status?: "draft" | "active" | "closed";
                /** @description Only surveys of this project. */
                project_id?: string;
                /** @description Only surveys with all of these words in their title, each by its beginning, in any language. Everything with the rarest of them is looked at: two that are both in tens of thousands of titles, and hardly ever in one, take long. */
                q?: string;
                /** @description Only surveys made at this time or later. */
                created_since?: string;
                /** @description Only surveys made before this time. */
                created_until?: string;
                /** @description Only surveys changed at this time or later; lists by the time of the last change, latest first. */
                updated_since?: string;
                /** @description Only surveys changed last before this time; lists by the time of the last change, latest first. */
                updated_until?: string;
                /** @description The deleted surveys instead of the others; needs the permission `surveys:delete`. */
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
                     *           "languages": []
                     *         },
                     *         "has_draft": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Survey"][];
                };
            };
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    createSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
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
                 *         "closes_at": "2036-10-31T23:00:00Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Version of the definition's format: two numbers with a dot between them. */
                    schema_version?: string;
                    /**
                     * Format: int32
                     * @description Number of the first version of the definition, from 1.
                     */
                    version?: number;
                    /** @description The definition: title, supported_languages, pages; optionally description, logic, sections, welcome_screen, thank_you_screen. Unknown members are errors (`UNKNOWN_MEMBER`). The survey and each page, question, option, section, screen, logic entry and condition can have `metadata`, an object of any content, which respondents can read too. */
                    survey?: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uuid
                     * @description The project that it is to be in.
                     */
                    project_id?: string;
                    /** @description Who may answer, when, and how often. */
                    settings?: components["schemas"]["SurveySettings"];
                };
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
                     *         "languages": []
                     *       },
                     *       "has_draft": false
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.INVALID_DEFINITION"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
                     *         "languages": []
                     *       },
                     *       "has_draft": false
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    replaceSurvey: {
        parameters: {
            query?: {
                /** @description Keep the definition beside the live one until it is published. */
                draft?: boolean;
            };
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
            /** @description The survey after the change. */
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
                     *         "languages": []
                     *       },
                     *       "has_draft": false,
                     *       "published_at": "2025-09-30T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["STATE_CONFLICT.VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.INVALID_DEFINITION"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    deleteSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    updateSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                 *         "response_limit": 500
                 *       }
                 *     }
                 */
                "application/merge-patch+json": {
                    /** @description The project that it is to be in; null for none. */
                    project_id?: string | null;
                    /** @description Who may answer, when, and how often. */
                    settings?: components["schemas"]["SurveySettingsPatch"] | null;
                };
                /**
                 * @example {
                 *       "settings": {
                 *         "response_limit": 500
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The project that it is to be in; null for none. */
                    project_id?: string | null;
                    /** @description Who may answer, when, and how often. */
                    settings?: components["schemas"]["SurveySettingsPatch"] | null;
                };
            };
        };
        responses: {
            /** @description The survey after the change. */
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
                     *         "response_limit": 500
                     *       },
                     *       "has_draft": false
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    restoreSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The survey after the change. */
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
                     *         "languages": []
                     *       },
                     *       "has_draft": false
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["STATE_CONFLICT.VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    duplicateSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
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
                     *         "languages": []
                     *       },
                     *       "has_draft": false
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    publishSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The survey after the change. */
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
                     *         "languages": []
                     *       },
                     *       "has_draft": false,
                     *       "published_at": "2025-09-30T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["STATE_CONFLICT.VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.INVALID_DEFINITION"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    closeSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The survey after the change. */
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
                     *         "languages": []
                     *       },
                     *       "has_draft": false,
                     *       "published_at": "2025-09-30T08:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["STATE_CONFLICT.VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
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
            /** @description The outcome of a check. */
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
                     *           "detail": "fr is not among the languages of the survey",
                     *           "question_id": "comment"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidateSurveyResponse"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
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
            /** @description The outcome of a check. */
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
                    "application/json": components["schemas"]["ValidatePayloadResponse"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    listSurveyVersions: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
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
                     *         "published_at": "2025-10-02T09:05:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SurveyVersion"][];
                };
            };
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getSurveyVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id of the survey. */
                survey_id: string;
                /** @description Number of the version. */
                version: string;
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
                     *       "published_at": "2025-10-02T09:05:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SurveyVersion"];
                };
            };
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["VERSION_NOT_FOUND.SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getSurveyDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["DRAFT_NOT_FOUND.SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    deleteSurveyDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["DRAFT_NOT_FOUND.SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    exportSurvey: {
        parameters: {
            query?: {
                /** @description `json`, which is also the default, or `csv`. */
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
                    "*/*": unknown;
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
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
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
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
                "application/json": {
                    /** @description Name, for people. */
                    name: string;
                    /** @description What it is for. */
                    description?: string;
                };
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["PROJECT_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["PROJECT_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT.PROJECT_NOT_EMPTY"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                "application/merge-patch+json": {
                    /** @description Name, for people. */
                    name?: string;
                    /** @description What it is for. */
                    description?: string | null;
                };
                /**
                 * @example {
                 *       "name": "Canteen and bar"
                 *     }
                 */
                "application/json": {
                    /** @description Name, for people. */
                    name?: string;
                    /** @description What it is for. */
                    description?: string | null;
                };
            };
        };
        responses: {
            /** @description The project after the change. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["PROJECT_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The survey that they lead to. */
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
                     *         "tokens": []
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Link"][];
                };
            };
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The survey that it is to lead to. */
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
                 *       "max_responses": 500
                 *     }
                 */
                "application/json": {
                    /** @description The last part of its address: 3 to 64 lower-case letters, digits and single hyphens between them. One that nobody guesses is made when it is absent. */
                    slug?: string;
                    /** @description Whether it is switched on (default: true). */
                    active?: boolean;
                    /**
                     * Format: date-time
                     * @description When it is to stop to work: a time to come.
                     */
                    expires_at?: string;
                    /**
                     * Format: int32
                     * @description How many responses come through it at the most.
                     */
                    max_responses?: number;
                    /** @description Whether each of its tokens is good for one response, and none comes without. Cannot be changed later. */
                    single_use?: boolean;
                    /**
                     * Format: int32
                     * @description How many tokens to make (default: 1), for a single-use link alone.
                     */
                    token_count?: number;
                    /** @description What visitors have to know: ASCII characters, since it travels in a header, no space first or last. */
                    password?: string;
                };
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
                     *       "tokens": []
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["SLUG_TAKEN.IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
                     *       "tokens": []
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["LINK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    deleteLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["LINK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    updateLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                "application/merge-patch+json": {
                    /** @description The last part of its address, as at creation. */
                    slug?: string;
                    /** @description Whether it is switched on. */
                    active?: boolean;
                    /** @description When it is to stop to work; null for never. */
                    expires_at?: string | null;
                    /** @description How many responses come through it at the most; null for any number. */
                    max_responses?: number | null;
                    /** @description What visitors have to know: ASCII characters, since it travels in a header, no space first or last; null for nothing. */
                    password?: string | null;
                };
                /**
                 * @example {
                 *       "max_responses": 1000
                 *     }
                 */
                "application/json": {
                    /** @description The last part of its address, as at creation. */
                    slug?: string;
                    /** @description Whether it is switched on. */
                    active?: boolean;
                    /** @description When it is to stop to work; null for never. */
                    expires_at?: string | null;
                    /** @description How many responses come through it at the most; null for any number. */
                    max_responses?: number | null;
                    /** @description What visitors have to know: ASCII characters, since it travels in a header, no space first or last; null for nothing. */
                    password?: string | null;
                };
            };
        };
        responses: {
            /** @description The link after the change. */
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
                     *       "tokens": []
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["LINK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT.SLUG_TAKEN"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    createLinkTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                "application/json": {
                    /**
                     * Format: int32
                     * @description How many (default: 1).
                     */
                    count?: number;
                };
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
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CreateLinkTokensResponse"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["LINK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["STATE_CONFLICT.VERSION_CONFLICT.IDEMPOTENCY_KEY_REUSED"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getPublicSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PublicSurvey"];
                };
            };
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_REQUEST"];
            403: components["responses"]["LINKS_ONLY"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["SURVEY_NOT_OPEN_YET.SURVEY_CLOSED.RESPONSE_LIMIT_REACHED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getPublicLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description Password of the link, where it has one and no `Link-Token` stands for it. */
                "Link-Password"?: string;
                /** @description A token of a single-use link, or the one that an answer gave for the password. */
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
            /** @description The survey that it leads to. */
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
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PublicSurvey"];
                };
            };
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            403: components["responses"]["LINK_PASSWORD_WRONG.LINK_TOKEN_WRONG"];
            404: components["responses"]["LINK_NOT_FOUND.SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["SURVEY_NOT_OPEN_YET.SURVEY_CLOSED.RESPONSE_LIMIT_REACHED"];
            410: components["responses"]["LINK_EXPIRED.LINK_USED_UP"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    submitPublicResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description A random UUID, version 4 or 7. It makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gets the first reply again. With another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["PublicIdempotencyKey"];
            };
            path: {
                /** @description The survey that is answered. */
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
                "application/json": {
                    /**
                     * @description `completed`, which is also the default, or `in_progress`: what is there is checked, and the rest can follow.
                     * @enum {string}
                     */
                    status?: "completed" | "in_progress";
                    /** @description The answers: question id → value. */
                    data: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: date-time
                     * @description When the respondent began. Up to five minutes ahead of our clock counts as now, more is refused.
                     */
                    started_at?: string;
                    /**
                     * Format: int32
                     * @description Version of the definition that is answered: one that is live or was (default: the latest).
                     */
                    survey_version?: number;
                    /** @description Anything the client wants to keep with the response, at most 16 KiB as JSON. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Refuse answers to questions that the logic hides, instead of dropping them. */
                    strict?: boolean;
                    /** @description The language that it was answered in: one that the survey declares. */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description What was stored. */
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
            400: components["responses"]["INVALID_REQUEST.IDEMPOTENCY_KEY_WEAK"];
            403: components["responses"]["LINKS_ONLY"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["SURVEY_NOT_OPEN_YET.SURVEY_CLOSED.RESPONSE_LIMIT_REACHED.IDEMPOTENCY_KEY_REUSED"];
            410: components["responses"]["RESPONSE_DELETED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.INVALID_ANSWERS"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    submitLinkResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description A random UUID, version 4 or 7. It makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gets the first reply again. With another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["PublicIdempotencyKey"];
                /** @description Password of the link, where it has one and no `Link-Token` stands for it. */
                "Link-Password"?: string;
                /** @description A token of a single-use link, or the one that an answer gave for the password. */
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
                "application/json": {
                    /**
                     * @description `completed`, which is also the default, or `in_progress`: what is there is checked, and the rest can follow.
                     * @enum {string}
                     */
                    status?: "completed" | "in_progress";
                    /** @description The answers: question id → value. */
                    data: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: date-time
                     * @description When the respondent began. Up to five minutes ahead of our clock counts as now, more is refused.
                     */
                    started_at?: string;
                    /**
                     * Format: int32
                     * @description Version of the definition that is answered: one that is live or was (default: the latest).
                     */
                    survey_version?: number;
                    /** @description Anything the client wants to keep with the response, at most 16 KiB as JSON. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Refuse answers to questions that the logic hides, instead of dropping them. */
                    strict?: boolean;
                    /** @description The language that it was answered in: one that the survey declares. */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description What was stored. */
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
            400: components["responses"]["INVALID_REQUEST.IDEMPOTENCY_KEY_WEAK"];
            403: components["responses"]["LINK_PASSWORD_WRONG.LINK_TOKEN_WRONG"];
            404: components["responses"]["LINK_NOT_FOUND.SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["SURVEY_NOT_OPEN_YET.SURVEY_CLOSED.RESPONSE_LIMIT_REACHED.IDEMPOTENCY_KEY_REUSED"];
            410: components["responses"]["LINK_EXPIRED.LINK_USED_UP.RESPONSE_DELETED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.INVALID_ANSWERS"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    uploadPublicFile: {
        parameters: {
            query: {
                /** @description The question that it is for. */
                question_id: string;
                /** @description Its name. What belongs to a path is taken away. */
                filename?: string;
            };
            header?: {
                /** @description A random UUID, version 4 or 7. It makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gets the first reply again. With another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["PublicIdempotencyKey"];
            };
            path: {
                /** @description The survey that is answered. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "*/*": unknown;
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
            400: components["responses"]["INVALID_REQUEST.IDEMPOTENCY_KEY_WEAK"];
            403: components["responses"]["LINKS_ONLY"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            409: components["responses"]["SURVEY_NOT_OPEN_YET.SURVEY_CLOSED.RESPONSE_LIMIT_REACHED.IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["INVALID_FILE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    uploadLinkFile: {
        parameters: {
            query: {
                /** @description The question that it is for. */
                question_id: string;
                /** @description Its name. What belongs to a path is taken away. */
                filename?: string;
            };
            header?: {
                /** @description A random UUID, version 4 or 7. It makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gets the first reply again. With another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["PublicIdempotencyKey"];
                /** @description Password of the link, where it has one and no `Link-Token` stands for it. */
                "Link-Password"?: string;
                /** @description A token of a single-use link, or the one that an answer gave for the password. */
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
                "*/*": unknown;
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
            400: components["responses"]["INVALID_REQUEST.IDEMPOTENCY_KEY_WEAK"];
            403: components["responses"]["LINK_PASSWORD_WRONG.LINK_TOKEN_WRONG"];
            404: components["responses"]["LINK_NOT_FOUND.SURVEY_NOT_FOUND"];
            409: components["responses"]["SURVEY_NOT_OPEN_YET.SURVEY_CLOSED.RESPONSE_LIMIT_REACHED.IDEMPOTENCY_KEY_REUSED"];
            410: components["responses"]["LINK_EXPIRED.LINK_USED_UP"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["INVALID_FILE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getPublicResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `resume_token` of the answer that made the response. */
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
            /** @description The caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_REQUEST"];
            404: components["responses"]["SURVEY_NOT_FOUND.RESPONSE_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    updatePublicResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The `resume_token` of the answer that made the response. */
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
                "application/merge-patch+json": {
                    /** @description `completed` finishes it. */
                    status?: ("completed" | "in_progress") | null;
                    /** @description The answers that are to change: question id → value; null takes one away. */
                    data?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Anything the client wants to keep with the response, at most 16 KiB as JSON; null takes it away. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description The language that it is answered in: one that the survey declares. */
                    language?: string | null;
                    /** @description Refuse answers to questions that the logic hides, instead of dropping them. */
                    strict?: boolean | null;
                };
                /**
                 * @example {
                 *       "status": "completed",
                 *       "data": {
                 *         "comment": "More soup, please."
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description `completed` finishes it. */
                    status?: ("completed" | "in_progress") | null;
                    /** @description The answers that are to change: question id → value; null takes one away. */
                    data?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Anything the client wants to keep with the response, at most 16 KiB as JSON; null takes it away. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description The language that it is answered in: one that the survey declares. */
                    language?: string | null;
                    /** @description Refuse answers to questions that the logic hides, instead of dropping them. */
                    strict?: boolean | null;
                };
            };
        };
        responses: {
            /** @description What was stored. */
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
            400: components["responses"]["INVALID_REQUEST"];
            403: components["responses"]["LINKS_ONLY"];
            404: components["responses"]["LINK_NOT_FOUND.SURVEY_NOT_FOUND.RESPONSE_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["SURVEY_NOT_OPEN_YET.SURVEY_CLOSED.RESPONSE_LIMIT_REACHED.STATE_CONFLICT.VERSION_CONFLICT"];
            410: components["responses"]["LINK_EXPIRED.LINK_USED_UP"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.INVALID_ANSWERS"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    listResponses: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). Pages of more than 16 MiB end earlier; a sample that takes more is 422. */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
                cursor?: string;
                /** @description A uniform random sample of `limit` responses, without repeats, anew with each call. Not with `cursor`. */
                random?: boolean;
                /** @description Only responses in this state. */
                status?: "in_progress" | "completed" | "disqualified" | "abandoned";
                /** @description Only responses that came through this link. */
                link_id?: string;
                /** @description Only responses in this language. */
                language?: string;
                /** @description Only responses stored at this time or later. */
                since?: string;
                /** @description Only responses stored before this time. */
                until?: string;
                /** @description Only responses changed at this time or later. */
                updated_since?: string;
                /** @description `desc`, newest first, which is also the default, or `asc`. Not with `random`. */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                /** @description The survey whose responses to list. */
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
                    "application/json": components["schemas"]["Response"][];
                };
            };
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The survey that is answered. */
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
                 *       "language": "en"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `completed`, which is also the default.
                     * @enum {string}
                     */
                    status?: "completed";
                    /** @description The answers: question id → value. */
                    data: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: date-time
                     * @description When the respondent began. Up to five minutes ahead of our clock counts as now, more is refused.
                     */
                    started_at?: string;
                    /**
                     * Format: int32
                     * @description Version of the definition that is answered: one that is live or was (default: the latest).
                     */
                    survey_version?: number;
                    /** @description Anything the client wants to keep with the response, at most 16 KiB as JSON. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Refuse answers to questions that the logic hides, instead of dropping them. */
                    strict?: boolean;
                    /** @description The language that it was answered in: one that the survey declares. */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description What was stored. */
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
                     *       "language": "en"
                     *     }
                     */
                    "application/json": components["schemas"]["Response"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["SURVEY_NOT_OPEN_YET.SURVEY_CLOSED.RESPONSE_LIMIT_REACHED.IDEMPOTENCY_KEY_REUSED"];
            410: components["responses"]["RESPONSE_DELETED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.INVALID_ANSWERS"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    countResponses: {
        parameters: {
            query?: {
                /** @description Only responses in this state. */
                status?: "in_progress" | "completed" | "disqualified" | "abandoned";
                /** @description Only responses that came through this link. */
                link_id?: string;
                /** @description Only responses in this language. */
                language?: string;
                /** @description Only responses stored at this time or later. */
                since?: string;
                /** @description Only responses stored before this time. */
                until?: string;
                /** @description Only responses changed at this time or later. */
                updated_since?: string;
            };
            header?: never;
            path: {
                /** @description The survey whose responses to count. */
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
                     *       "count": 128
                     *     }
                     */
                    "application/json": components["schemas"]["CountResponsesResponse"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
                    "application/json": components["schemas"]["Response"];
                };
            };
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["RESPONSE_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    deleteResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["RESPONSE_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    updateResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                "application/merge-patch+json": {
                    /** @description The answers that are to change: question id → value, which takes the place of the one before as a whole; null takes it away. */
                    data?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description What the client keeps with the response; null takes it away. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
                /**
                 * @example {
                 *       "data": {
                 *         "comment": "More soup."
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The answers that are to change: question id → value, which takes the place of the one before as a whole; null takes it away. */
                    data?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description What the client keeps with the response; null takes it away. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The response after the change. */
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
                    "application/json": components["schemas"]["Response"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["RESPONSE_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.INVALID_ANSWERS"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    exportResponses: {
        parameters: {
            query?: {
                /** @description Only responses in this state. */
                status?: "in_progress" | "completed" | "disqualified" | "abandoned";
                /** @description Only responses that came through this link. */
                link_id?: string;
                /** @description Only responses in this language. */
                language?: string;
                /** @description Only responses stored at this time or later. */
                since?: string;
                /** @description Only responses stored before this time. */
                until?: string;
                /** @description Only responses changed at this time or later. */
                updated_since?: string;
                /** @description `csv`, which is also the default: a column for each question, row and option, formulas masked by an apostrophe; `ndjson`: a response a line; `json`: an array of responses. */
                format?: "csv" | "ndjson" | "json";
                /** @description In a CSV, what names questions and options: `ids`, which is also the default and can be imported again, or `texts` in the survey's default language. */
                labels?: "ids" | "texts";
            };
            header?: never;
            path: {
                /** @description The survey whose responses are asked for. */
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
                     * @example id,status,satisfaction,comment
                     *     0199a204-5f3b-7d62-8a90-c1b2d3e4f506,completed,happy,"More soup, please."
                     */
                    "*/*": unknown;
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
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
            /** @description Its bytes. */
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
                    "*/*": unknown;
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["FILE_NOT_FOUND"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getSummary: {
        parameters: {
            query?: {
                /** @description Time zone of the days, a name of the IANA database (default: UTC). */
                tz?: string;
            };
            header?: never;
            path: {
                /** @description The survey whose responses to sum up. */
                survey_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The responses of a survey, summed up. */
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
                     *               "share": 0.75
                     *             },
                     *             {
                     *               "id": "unhappy",
                     *               "count": 32,
                     *               "share": 0.25
                     *             }
                     *           ],
                     *           "rows": []
                     *         }
                     *       ],
                     *       "drop_off": [
                     *         {
                     *           "question_id": "satisfaction",
                     *           "count": 3
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GetSummaryResponse"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    importSurvey: {
        parameters: {
            query?: {
                /** @description With a file as the body. The tool that the file comes from. */
                source?: "custom" | "typeform" | "surveymonkey" | "google_forms" | "qualtrics" | "limesurvey" | "surveyjs" | "xlsform";
                /** @description With a file as the body. The file's format: one that the source has. */
                format?: "json" | "csv" | "qsf" | "lss" | "xlsx";
                /** @description With a file as the body. Keep the ids of questions, options and responses (default true). A response id that is no UUID becomes its `external_id`, and the UUID follows from it, so that importing a file twice into one survey imports nothing twice. The same goes for a UUID that is taken, by the responses of the same file in another survey for example. */
                preserve_ids?: boolean;
                /** @description With a file as the body. Refuse a survey whose definition has errors (default true); else they come as warnings. */
                validate_logic?: boolean;
                /** @description With a file as the body. Import the responses that the file holds (default true). */
                import_responses?: boolean;
                /** @description With a file as the body. Title of a survey whose file has none. */
                title?: string;
                /** @description With a file as the body. Language of a file that names none (default `en`). */
                language?: string;
                /** @description With a file as the body. Only tell what the import would do, as far as the file and the survey tell; nothing is stored (default false). */
                dry_run?: boolean;
                /** @description With a file as the body. Tell webhooks of the imported responses, as of any others (default true). */
                emit_events?: boolean;
                /** @description With a file as the body. Name of the file: the title of a survey that has none otherwise. */
                filename?: string;
            };
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
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
                "application/json": {
                    /**
                     * @description The tool that the file comes from.
                     * @enum {string}
                     */
                    source: "custom" | "typeform" | "surveymonkey" | "google_forms" | "qualtrics" | "limesurvey" | "surveyjs" | "xlsform";
                    /**
                     * @description The file's format: one that the source has.
                     * @enum {string}
                     */
                    format: "json" | "csv" | "qsf" | "lss" | "xlsx";
                    /** @description The file: JSON for `json` and `qsf`, the text for `csv` and `lss`. One of `xlsx` has to be the body as it is. */
                    data: unknown;
                    /** @description What to do and leave. */
                    options?: components["schemas"]["ImportOptions"];
                    /** @description Name of the file: the title of a survey that has none otherwise. */
                    filename?: string;
                };
                "*/*": unknown;
            };
        };
        responses: {
            /** @description Done; nothing was created. */
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
                     *         "languages": []
                     *       },
                     *       "has_draft": false,
                     *       "import": {
                     *         "id": "0199a230-44d5-7a6b-8c7d-9e0f1a2b3c4d",
                     *         "source": "custom",
                     *         "format": "json",
                     *         "status": "completed",
                     *         "total": 0,
                     *         "imported": 0,
                     *         "skipped": 0,
                     *         "failed": 0,
                     *         "questions": 1,
                     *         "warnings": [],
                     *         "errors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Survey"] | components["schemas"]["Import"];
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
                     *         "languages": []
                     *       },
                     *       "has_draft": false,
                     *       "import": {
                     *         "id": "0199a230-44d5-7a6b-8c7d-9e0f1a2b3c4d",
                     *         "source": "custom",
                     *         "format": "json",
                     *         "status": "completed",
                     *         "total": 0,
                     *         "imported": 0,
                     *         "skipped": 0,
                     *         "failed": 0,
                     *         "questions": 1,
                     *         "warnings": [],
                     *         "errors": []
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
                    /** @description Where it can be followed. */
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
                     *         "bytes": 1048576,
                     *         "total_bytes": 8388608,
                     *         "rows": 5000,
                     *         "imported": 4990,
                     *         "skipped": 0,
                     *         "failed": 10
                     *       },
                     *       "questions": 2,
                     *       "warnings": [],
                     *       "errors": [],
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "created_at": "2025-10-06T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.INVALID_DEFINITION.INVALID_IMPORT"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    importResponses: {
        parameters: {
            query?: {
                /** @description With a file as the body. The file's format. */
                format?: "json" | "csv" | "ndjson" | "xlsx";
                /** @description With a file as the body. Take the apostrophe off that an export has put before what could be a formula (default: when a CSV begins with all the columns of an export). */
                unmask?: boolean;
                /** @description With a file as the body. The tool that the file comes from (default `custom`). */
                source?: "" | "custom" | "typeform" | "surveymonkey" | "google_forms" | "qualtrics" | "limesurvey" | "surveyjs" | "xlsform";
                /** @description With a file as the body. Only tell what the import would do, as far as the file and the survey tell; nothing is stored (default false). */
                dry_run?: boolean;
                /** @description With a file as the body. Tell webhooks of the imported responses, as of any others (default true). */
                emit_events?: boolean;
            };
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async` for a job in any case; `wait` with seconds for how long to wait for its end (RFC 7240). */
                Prefer?: string;
            };
            path: {
                /** @description The survey that the responses answer. */
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
                "application/json": {
                    /**
                     * @description The file's format.
                     * @enum {string}
                     */
                    format: "json" | "csv" | "ndjson" | "xlsx";
                    /** @description The file: an array for `json`, the text for `csv` and, with a response a line, `ndjson`. In JSON a response is `{id, submitted_at, answers: [{question_id, value}]}`, or what reading one gives, its answers in `data`. A CSV has the columns of an export, which need not be complete, under the ids of questions and options. */
                    responses: unknown;
                    /** @description Take the apostrophe off that an export has put before what could be a formula (default: when a CSV begins with all the columns of an export). */
                    unmask?: boolean;
                    /**
                     * @description The tool that the file comes from (default `custom`).
                     * @enum {string}
                     */
                    source?: "" | "custom" | "typeform" | "surveymonkey" | "google_forms" | "qualtrics" | "limesurvey" | "surveyjs" | "xlsform";
                    /** @description Only tell what the import would do, as far as the file and the survey tell; nothing is stored (default false). */
                    dry_run?: boolean;
                    /** @description Tell webhooks of the imported responses, as of any others (default true). */
                    emit_events?: boolean;
                };
                "*/*": unknown;
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
                     *       "format": "json",
                     *       "status": "completed",
                     *       "total": 2,
                     *       "imported": 1,
                     *       "skipped": 0,
                     *       "failed": 1,
                     *       "questions": 2,
                     *       "warnings": [],
                     *       "errors": [
                     *         {
                     *           "index": 1,
                     *           "id": "R_2",
                     *           "code": "UNKNOWN_OPTION",
                     *           "detail": "the answer is none of the options"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ImportReport"] | components["schemas"]["Import"];
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    /** @description Where it can be followed. */
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
                     *         "bytes": 1048576,
                     *         "total_bytes": 8388608,
                     *         "rows": 5000,
                     *         "imported": 4990,
                     *         "skipped": 0,
                     *         "failed": 10
                     *       },
                     *       "questions": 2,
                     *       "warnings": [],
                     *       "errors": [],
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "created_at": "2025-10-06T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["SURVEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.INVALID_IMPORT"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
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
                     *           "bytes": 1048576,
                     *           "total_bytes": 8388608,
                     *           "rows": 5000,
                     *           "imported": 4990,
                     *           "skipped": 0,
                     *           "failed": 10
                     *         },
                     *         "questions": 2,
                     *         "warnings": [],
                     *         "errors": [],
                     *         "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *         "created_at": "2025-10-06T10:00:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Import"][];
                };
            };
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
                     *         "bytes": 1048576,
                     *         "total_bytes": 8388608,
                     *         "rows": 5000,
                     *         "imported": 4990,
                     *         "skipped": 0,
                     *         "failed": 10
                     *       },
                     *       "questions": 2,
                     *       "warnings": [],
                     *       "errors": [],
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "created_at": "2025-10-06T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Import"];
                };
            };
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["IMPORT_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
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
            /** @description A line for each refused response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"index":1,"id":"R_2","code":"UNKNOWN_OPTION","detail":"the answer is none of the options"} */
                    "*/*": unknown;
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["IMPORT_NOT_FOUND"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
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
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
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
                     *         "bytes": 1048576,
                     *         "total_bytes": 8388608,
                     *         "rows": 5000,
                     *         "imported": 4990,
                     *         "skipped": 0,
                     *         "failed": 10
                     *       },
                     *       "questions": 2,
                     *       "warnings": [],
                     *       "errors": [],
                     *       "created_by": "0199a1e0-b0c1-7d2e-8f3a-4b5c6d7e8f90",
                     *       "created_at": "2025-10-06T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["IMPORT_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
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
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
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
                "application/json": {
                    /** @description Where to send events: an https address that is reachable from the internet. */
                    url: string;
                    /** @description Which events to send: names, `survey.*` for a family, or `*`. */
                    event_types: string[];
                    /** @description Whether to send events (default true). */
                    active?: boolean;
                    /** @description A note for people. */
                    description?: string;
                    /** @description A key of the tenant's own for the signatures, 24 to 256 characters; a random one is made when absent. */
                    secret?: string;
                    /** @description Headers that every request is to have, name → value, for example a token that the receiver asks for: at most 20, names of letters, digits and hyphens, values of printable ASCII characters, but not `********`. Those that belong to the connection or to us cannot be given. */
                    headers?: {
                        [key: string]: unknown;
                    };
                    /** @description Only events of these surveys are sent; those of all when there are none here. Surveys that the tenant does not have are errors (`UNKNOWN_SURVEY`). */
                    survey_ids?: string[];
                    /** @description Whether `response.submitted` and `response.updated` carry the answers (default false). */
                    include_answers?: boolean;
                };
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["STATE_CONFLICT.IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.WEBHOOK_URL_REFUSED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                "application/merge-patch+json": {
                    /** @description Where to send events. */
                    url?: string | null;
                    /** @description Which events to send: names, `survey.*` for a family, or `*`. At least one. */
                    event_types?: string[] | null;
                    /** @description Whether to send events; null is true. */
                    active?: boolean | null;
                    /** @description A note for people; null takes it away. */
                    description?: string | null;
                    /** @description Headers that every request is to have: a merge patch, null takes one away, or all. `********`, as values are shown, keeps the value that is there; it is refused where there is no header of the name. */
                    headers?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Only events of these surveys are sent; those of all when it is null or empty. Surveys that the tenant does not have are errors (`UNKNOWN_SURVEY`), unless the webhook has them already. */
                    survey_ids?: string[] | null;
                    /** @description Whether `response.submitted` and `response.updated` carry the answers; null is false. Deliveries that were made before stay as they are, and are sent and replayed with the answers that are in them; answers that are not in them yet come to none when it is off by then. */
                    include_answers?: boolean | null;
                };
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": {
                    /** @description Where to send events. */
                    url?: string | null;
                    /** @description Which events to send: names, `survey.*` for a family, or `*`. At least one. */
                    event_types?: string[] | null;
                    /** @description Whether to send events; null is true. */
                    active?: boolean | null;
                    /** @description A note for people; null takes it away. */
                    description?: string | null;
                    /** @description Headers that every request is to have: a merge patch, null takes one away, or all. `********`, as values are shown, keeps the value that is there; it is refused where there is no header of the name. */
                    headers?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Only events of these surveys are sent; those of all when it is null or empty. Surveys that the tenant does not have are errors (`UNKNOWN_SURVEY`), unless the webhook has them already. */
                    survey_ids?: string[] | null;
                    /** @description Whether `response.submitted` and `response.updated` carry the answers; null is false. Deliveries that were made before stay as they are, and are sent and replayed with the answers that are in them; answers that are not in them yet come to none when it is off by then. */
                    include_answers?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The webhook after the change. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED.WEBHOOK_URL_REFUSED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                "application/json": {
                    /** @description For how many hours the secret before signs too, 0 to 168 (default 24). */
                    overlap_hours?: number;
                    /** @description A key of the tenant's own for the signatures, 24 to 256 characters; a random one is made when absent. */
                    secret?: string;
                };
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT.IDEMPOTENCY_KEY_REUSED"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
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
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description What came of it. */
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
                     *           "trigger": "test"
                     *         }
                     *       ],
                     *       "event_id": "0199a204-5f9e-5c1d-8b2a-7e6f5d4c3b2a"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
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
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Deliveries made at this time or later (default: all that are kept).
                     */
                    since?: string;
                    /**
                     * Format: date-time
                     * @description Deliveries made before this time (default: now). Not in the future.
                     */
                    until?: string;
                    /** @description Only deliveries in these states (default: `failed` ones that are not tried again by themselves). */
                    statuses?: ("delivered" | "failed")[];
                    /** @description Only deliveries of these types (default: all). */
                    event_types?: string[];
                };
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["STATE_CONFLICT.IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    listReplays: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
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
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["REPLAY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    cancelReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the replay. */
                replay_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The replay as it ended. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["REPLAY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["STATE_CONFLICT.VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
                cursor?: string;
                /** @description Only deliveries in this state. */
                status?: "pending" | "delivered" | "failed";
                /** @description Only deliveries of this type of event. */
                event_type?: string;
                /** @description Only deliveries made at this time or later. */
                since?: string;
                /** @description Only deliveries made before this time. */
                until?: string;
            };
            header?: never;
            path: {
                /** @description The webhook whose deliveries to list. */
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
                     *             "trigger": "schedule"
                     *           }
                     *         ],
                     *         "event_id": "0199a204-5f9e-5c1d-8b2a-7e6f5d4c3b2a"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Delivery"][];
                };
            };
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["WEBHOOK_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
                     *           "trigger": "schedule"
                     *         }
                     *       ],
                     *       "event_id": "0199a204-5f9e-5c1d-8b2a-7e6f5d4c3b2a"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["DELIVERY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    redeliverDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
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
                     *           "trigger": "schedule"
                     *         }
                     *       ],
                     *       "event_id": "0199a204-5f9e-5c1d-8b2a-7e6f5d4c3b2a",
                     *       "next_attempt_at": "2025-10-02T07:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["DELIVERY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["STATE_CONFLICT.VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
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
            /** @description Every type of event. */
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
                     *           "required": [
                     *             "survey_id",
                     *             "title",
                     *             "version",
                     *             "status",
                     *             "occurred_at",
                     *             "revision"
                     *           ],
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    updateTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                "application/merge-patch+json": {
                    /** @description Name, for people. */
                    name?: string;
                };
                /**
                 * @example {
                 *       "name": "Example AG"
                 *     }
                 */
                "application/json": {
                    /** @description Name, for people. */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description The tenant after the change. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
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
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
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
                "application/json": {
                    /** @description The `sub` of the user's tokens, in visible ASCII characters; a new UUID when absent. */
                    id?: string;
                    /**
                     * Format: email
                     * @description E-mail address, one for each user of the tenant.
                     */
                    email: string;
                    /**
                     * @description Role in the tenant.
                     * @enum {string}
                     */
                    role: "viewer" | "analyst" | "editor" | "admin" | "owner";
                    /** @description Single permissions beyond those of the role. */
                    permissions?: string[];
                };
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["ALREADY_EXISTS.IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of what the caller has already: it is not sent again then. */
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
            /** @description The caller has it already. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["USER_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["USER_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["LAST_OWNER.VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
                "application/merge-patch+json": {
                    /**
                     * Format: email
                     * @description E-mail address, one for each user of the tenant.
                     */
                    email?: string;
                    /**
                     * @description Role in the tenant.
                     * @enum {string}
                     */
                    role?: "viewer" | "analyst" | "editor" | "admin" | "owner";
                    /** @description All single permissions beyond those of the role; null takes them away. */
                    permissions?: string[] | null;
                };
                /**
                 * @example {
                 *       "role": "editor",
                 *       "permissions": []
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address, one for each user of the tenant.
                     */
                    email?: string;
                    /**
                     * @description Role in the tenant.
                     * @enum {string}
                     */
                    role?: "viewer" | "analyst" | "editor" | "admin" | "owner";
                    /** @description All single permissions beyond those of the role; null takes them away. */
                    permissions?: string[] | null;
                };
            };
        };
        responses: {
            /** @description The user after the change. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["USER_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["ALREADY_EXISTS.LAST_OWNER.VERSION_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
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
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to repeat the request: one with the same key within 24 hours creates nothing more and gives the first answer again. With another body it is refused. */
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
                "application/json": {
                    /** @description Name, for people. */
                    name: string;
                    /** @description What the key may do. */
                    permissions: string[];
                    /**
                     * Format: date-time
                     * @description When it stops to work, in the future; never when absent.
                     */
                    expires_at?: string;
                };
            };
        };
        responses: {
            /** @description The new key. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            409: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            413: components["responses"]["BODY_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["VALIDATION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of the revisions that the change is meant for; that of another one is refused. */
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
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            404: components["responses"]["API_KEY_NOT_FOUND"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description How many at the most, 1 to 1000 (default 50). */
                limit?: number;
                /** @description Where the page before ended: taken from its `Link` header. */
                cursor?: string;
                /** @description Only what this user did. */
                actor?: string;
                /** @description Only this action, for example `survey.published`. */
                action?: string;
                /** @description Only changes of this kind of record, for example `survey`. */
                resource_type?: string;
                /** @description Only changes of this record. */
                resource_id?: string;
                /** @description Only changes made at this time or later. */
                since?: string;
                /** @description Only changes made before this time. */
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
            400: components["responses"]["INVALID_REQUEST.INVALID_CURSOR"];
            401: components["responses"]["INVALID_TOKEN"];
            403: components["responses"]["PERMISSION_DENIED"];
            406: components["responses"]["NOT_ACCEPTABLE"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            503: components["responses"]["UNAVAILABLE.OVERLOADED"];
            "5XX": components["responses"]["INTERNAL.UPSTREAM_INVALID.DEADLINE_EXCEEDED"];
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
            /** @description All is well. */
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
            400: components["responses"]["INVALID_REQUEST"];
            /** @description A check has failed. */
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
            "5XX": components["responses"]["INTERNAL"];
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
                     * @example # HELP survey_responses_total Responses that were accepted.
                     *     # TYPE survey_responses_total counter
                     *     survey_responses_total 42
                     */
                    "text/plain": string;
                };
            };
            400: components["responses"]["INVALID_REQUEST"];
            401: components["responses"]["INVALID_TOKEN"];
            429: components["responses"]["TOO_MANY_REQUESTS"];
            "5XX": components["responses"]["INTERNAL"];
        };
    };
}
