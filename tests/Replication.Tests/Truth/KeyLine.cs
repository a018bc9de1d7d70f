using System.Globalization;

namespace RedisLatency.Replication.Tests.Truth;

/// <summary>A line of keys.csv that has all its stamps; of one of several destinations with its mark.</summary>
internal sealed record KeyLine(
    long Number, string Fate, long SentNs, long LastMissNs, long FirstHitNs, string? Destination = null)
{
    /// <summary>The keys of the only run in a folder of results.</summary>
    public static IReadOnlyList<KeyLine> Read(string folder) =>
    [
        .. File.ReadLines(Directory.GetFiles(folder, "keys.csv", SearchOption.AllDirectories).ShouldHaveSingleItem())
            .Skip(1).Select(line => line.Split(',')).Select(cells => new KeyLine(
                Stamp(cells[0]), cells[1], Stamp(cells[3]), Stamp(cells[4]), Stamp(cells[5]), cells.ElementAtOrDefault(6))),
    ];

    private static long Stamp(string cell) => cell.Length == 0 ? 0 : long.Parse(cell, CultureInfo.InvariantCulture);
}
