import type { Question } from '@survey/questionnaire';
import { LikertOption, MultipleChoice, SingleChoice } from './choice.tsx';
import { type FileActions, FileUpload } from './file-upload.tsx';
import type { ControlProps } from './frame.tsx';
import { DateOrTime } from './moment.tsx';
import { Rating } from './rating.tsx';
import { Rows } from './rows.tsx';
import { Text, Textarea } from './text.tsx';

interface Props extends ControlProps<Question> {
  readonly files: FileActions;
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
      return <DateOrTime question={question} {...props} />;
    case 'file_upload':
      return <FileUpload question={question} {...props} />;
  }
}
