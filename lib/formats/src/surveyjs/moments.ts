/** Forms of dates and times in surveys and expressions. */
export const DATE = /^\d{4}-\d{2}-\d{2}$/;
export const TIME = /^\d{2}:\d{2}(:\d{2})?$/;
