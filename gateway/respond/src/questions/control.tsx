import type { Question } from '@survey/questionnaire';
import { LikertOption, MultipleChoice, SingleChoice } from './choice.tsx';
import { type Files, FileUpload } from './file-upload.tsx';
import type { ControlProps } from './frame.tsx';
import { Moment } from './moment.tsx';
import { Rating } from './rating.tsx';
import { Rows } from './rows.tsx';
import { Text, Textarea } from './text.tsx';

interface Props extends ControlProps<Question> {
  readonly files: Files;
}

/** The control of a question, by its type. */
export function Control({ question, ...props }: Props) {
  switch (question.type) {
    case 'single_choice':
      return <SingleChoice question={question} {...props} />;
    case 'multiple_choice':
      return <MultipleChoice question={question} {...props} />;
    case 'text':
      return <Text question={question} {...props} />;
    case 'textarea':
      return <Textarea question={question} {...props} />;
    case 'rating':
      return <Rating question={question} {...props} />;
    case 'likert':
      if (question.rows.length === 0) return <LikertOption question={question} {...props} />;
      return <Rows question={question} {...props} />;
    case 'matrix':
      return <Rows question={question} {...props} />;
    case 'date':
    case 'time':
      return <Moment question={question} {...props} />;
    case 'file_upload':
      return <FileUpload question={question} {...props} />;
  }
}
