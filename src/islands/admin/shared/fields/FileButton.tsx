import { AdminIcon } from '#islands/admin/shared/AdminIcon.tsx';

interface FileButtonProps {
  label: string;
  accept: string;
  multiple?: boolean;
  disabled: boolean;
  onFiles: (files: File[]) => void;
}

/** A button that chooses files. The same file, corrected, can be chosen again. */
export function FileButton({
  label,
  accept,
  multiple = false,
  disabled,
  onFiles,
}: FileButtonProps) {
  return (
    <label className={`choice ${disabled ? 'opacity-50' : ''}`}>
      <input
        type="file"
        className="visually-hidden"
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <AdminIcon name={multiple ? 'picture' : 'add'} /> {label}
    </label>
  );
}
