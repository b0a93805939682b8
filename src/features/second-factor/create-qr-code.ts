/** A QR code as the path of an SVG with one unit per module; `size` modules on each side. */
export async function createQrCode(text: string): Promise<{ size: number; path: string }> {
  const { default: qrcode } = await import('qrcode-generator');
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const rows = Array.from({ length: size }, (_row, row) =>
    Array.from({ length: size }, (_column, column) =>
      code.isDark(row, column) ? `M${String(column)} ${String(row)}h1v1h-1z` : '',
    ).join(''),
  );
  return { size, path: rows.join('') };
}
