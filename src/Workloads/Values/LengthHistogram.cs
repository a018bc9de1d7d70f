using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Values;

/// <summary>
/// YCSB's file of field lengths (site.ycsb.generator.HistogramGenerator): the line BlockSize and a number, then lines
/// of a bucket and a count, each separated by a tab. Bucket i stands for i + 1 blocks, the last one too.
/// </summary>
internal static class LengthHistogram
{
    private const string Wanted =
        "the file has to begin with the line BlockSize, a tab and a number of bytes, and to go on with lines of a "
        + "bucket from 0, a tab and a count";

    public static ValueReading<(int Length, double Weight)[]> Read(string path)
    {
        try
        {
            return ReadText(Encoding.UTF8.GetString(SmallFile.Read(path)));
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return Wrong($"{path}: {problem.Message}");
        }
    }

    internal static ValueReading<(int Length, double Weight)[]> ReadText(string text)
    {
        var lines = text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        if (lines is not [var first, ..] || first.Split('\t') is not ["BlockSize", var sizeText]
            || Number(sizeText) is not (> 0 and var size))
            return Wrong(Wanted);
        var items = new List<(int, double)>();
        foreach (var line in lines[1..])
        {
            if (line.Split('\t') is not [var bucketText, var countText] || Number(bucketText) is not { } bucket
                || Number(countText) is not { } count || (bucket + 1) * size > ValueSize.Longest)
                return Wrong(Wanted);
            if (count > 0)
                items.Add(((int)((bucket + 1) * size), count));
        }

        return items.Count > 0 ? ValueReading.Of<(int, double)[]>([.. items]) : Wrong(Wanted);
    }

    private static long? Number(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;

    private static ValueReading<(int Length, double Weight)[]> Wrong(string problem) =>
        ValueReading.Wrong<(int Length, double Weight)[]>(problem);
}
