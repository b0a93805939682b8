/** The image files of a paste or a drop; none when text is what was meant. */
export function imagesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(
    (file) => file.type.startsWith('image/') || /\.hei[cf]$/iu.test(file.name),
  );
}
