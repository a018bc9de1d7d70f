using System.Globalization;

namespace RedisLatency.Lab.Worlds;

/// <summary>Reads <c>stamps.csv</c> of a Producer's results.</summary>
internal static class StampsReader
{
    private static readonly string[] Columns = ["intended", "sent", "received", "echoed", "returned"];

    public static IReadOnlyList<StampedMessage> Read(string path)
    {
        using var lines = File.ReadLines(path).GetEnumerator();
        var heads = lines.MoveNext() ? lines.Current.Split(',') : [];
        var places = Columns.Select(column => Array.IndexOf(heads, column)).ToArray();
        if (places.Contains(-1))
            throw new InvalidDataException($"{path}: the columns {string.Join(", ", Columns)} are needed.");
        var messages = new List<StampedMessage>();
        while (lines.MoveNext())
        {
            var cells = lines.Current.Split(',');
            if (cells.Length != heads.Length)
                throw new InvalidDataException($"{path}, line {messages.Count + 2}: {heads.Length} cells are needed.");
            messages.Add(new StampedMessage(Cell(0), Cell(1), Cell(2), Cell(3), Cell(4)));

            long Cell(int column)
            {
                var cell = cells[places[column]];
                return long.TryParse(cell, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var ns)
                    ? ns
                    : throw new InvalidDataException(
                        $"{path}, line {messages.Count + 2}: {cell} is no time in nanoseconds.");
            }
        }

        return messages;
    }
}
