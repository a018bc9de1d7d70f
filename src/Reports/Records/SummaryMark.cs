namespace RedisLatency.Reports.Records;

/// <summary>
/// What the summaries of a record are marked with where there are several: in the result line, in tables, and in the
/// tags of the interval log.
/// </summary>
public static class SummaryMark
{
    private const int Letters = 26;

    /// <summary>The mark of a summary: a to z, then aa, ab and so on.</summary>
    /// <param name="place">Its place in the record, from 0.</param>
    public static string Of(int place)
    {
        var last = (char)('a' + (place % Letters));
        return place < Letters ? $"{last}" : Of((place / Letters) - 1) + last;
    }

    /// <summary>A series' tag in the interval log.</summary>
    /// <param name="place">The summary's place in the record.</param>
    /// <param name="series">What the series is called there.</param>
    public static string TagOf(int place, string series) => $"{Of(place)}.{series}";
}
