using RedisLatency.Reports.Output;

namespace RedisLatency.Lab.SelfTest;

/// <summary>Planted beside reported, however long the words: a cell too wide goes on in the next line.</summary>
internal sealed class FindingTable(IReadOnlyList<Finding> findings)
{
    private const int Indent = 2;
    private const int Gap = 2;
    private const int VerdictWidth = 4;
    private const int MostOfValue = 22;

    public void WriteTo(TextWriter writer)
    {
        var rows = findings.Select(CellsOf).Prepend(["", "", "planted", "reported"]).ToArray();
        var planted = WidthOf(rows, 2, MostOfValue);
        var reported = WidthOf(rows, 3, MostOfValue);
        var room = Pages.UsualWidth - Indent - VerdictWidth - planted - reported - (3 * Gap);
        int[] widths = [VerdictWidth, WidthOf(rows, 1, room), planted, reported];
        foreach (var row in rows)
            WriteRow(writer, row, widths);
    }

    private static string[] CellsOf(Finding finding) =>
        [finding.Holds ? "PASS" : "MISS", finding.What, finding.Planted, finding.Reported];

    private static int WidthOf(string[][] rows, int column, int most) =>
        Math.Min(most, rows.Max(row => row[column].Length));

    private static void WriteRow(TextWriter writer, string[] row, int[] widths)
    {
        var cells = row.Select((cell, column) => WordWrap.Lines(cell, widths[column])).ToArray();
        for (var line = 0; line < cells.Max(cell => cell.Count); line++)
        {
            var text = new string(' ', Indent);
            for (var column = 0; column < widths.Length; column++)
            {
                var part = line < cells[column].Count ? cells[column][line] : string.Empty;
                text += column < 2 ? part.PadRight(widths[column] + Gap) : part.PadLeft(widths[column]);
                if (column == 2)
                    text += new string(' ', Gap);
            }

            writer.WriteLine(text.TrimEnd());
        }
    }
}
