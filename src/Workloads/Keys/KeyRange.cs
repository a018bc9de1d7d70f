using System.Globalization;

namespace RedisLatency.Workloads.Keys;

/// <summary>Keys of one form (as <c>--key-form</c> has it), by their numbers.</summary>
internal sealed record KeyRange(string Form, long First, long Count)
{
    public long End => First + Count;

    /// <summary>Reads what <see cref="ToString"/> wrote; null where it is none.</summary>
    public static KeyRange? Parse(string text)
    {
        // A form may have spaces in it.
        var words = text.Split(' ', 3);
        return words.Length == 3
            && long.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out var first)
            && long.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out var count)
            && count > 0 && first <= KeySpace.HighestIndex && count <= KeySpace.HighestIndex + 1 - first
            && KeyForm.Problem(words[2]) is null
            ? new KeyRange(words[2], first, count)
            : null;
    }

    public IEnumerable<KeyRange> Without(IEnumerable<KeyRange> others)
    {
        var first = First;
        foreach (var other in others.Where(other => other.Form == Form).OrderBy(other => other.First))
        {
            if (other.First >= End)
                break;
            if (other.First > first)
                yield return this with { First = first, Count = other.First - first };
            first = Math.Max(first, other.End);
        }

        if (first < End)
            yield return this with { First = first, Count = End - first };
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{First} {Count} {Form}");
}
