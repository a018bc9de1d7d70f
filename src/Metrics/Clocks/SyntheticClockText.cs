using System.Globalization;

namespace RedisLatency.Metrics.Clocks;

internal sealed record SyntheticClockText
{
    // A wilder rate than any crystal or daemon has; the inverse of the clock relies on it.
    private const double MostPpm = 10_000;

    // Longer than any run; sums of such times stay far from overflow.
    private const double MostNs = 1e17;

    private static readonly (string Suffix, double Factor)[] Times =
        [("ns", 1), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];

    private static readonly (string Suffix, double Factor)[] Rates = [("ppm", 1), ("ppb", 1e-3)];

    public long OffsetNs { get; private set; }
    public double SkewPpm { get; private set; }
    public double WalkPpm { get; private set; }
    public ulong Seed { get; private set; }
    public long? AnchorNs { get; private set; }
    public IReadOnlyList<SyntheticChange> Changes { get; private set; } = [];

    public static SyntheticClockText Parse(string text)
    {
        var result = new SyntheticClockText();
        var changes = new List<SyntheticChange>();
        var seen = new HashSet<string>(StringComparer.Ordinal);
        foreach (var part in text.Split(',', StringSplitOptions.TrimEntries))
        {
            var equals = part.IndexOf('=', StringComparison.Ordinal);
            if (equals <= 0)
                throw new FormatException($"'{part}': want KEY=VALUE, several separated by commas");
            var (key, value) = (part[..equals], part[(equals + 1)..]);
            if (KindOf(key, value) is { } kind)
                changes.Add(ReadChange(part, kind, value));
            else if (seen.Add(key))
                result.Read(part, key, value);
            else
                throw new FormatException($"{key}: given twice");
        }

        result.Changes = changes;
        Check(changes);
        return result;
    }

    private static SyntheticChangeKind? KindOf(string key, string value) => key switch
    {
        "step" => SyntheticChangeKind.Step,
        "skew" when value.Contains('@', StringComparison.Ordinal) => SyntheticChangeKind.Skew,
        "slew" => SyntheticChangeKind.Slew,
        "suspend" => SyntheticChangeKind.Suspension,
        "freeze" => SyntheticChangeKind.Freeze,
        _ => null,
    };

    private static void Check(List<SyntheticChange> changes)
    {
        var rates = changes.Where(change => change.Kind is SyntheticChangeKind.Skew or SyntheticChangeKind.Slew);
        if (rates.Sum(change => Math.Abs(change.Amount)) * 1e6 > MostPpm)
            throw new FormatException("skew, slew: all changes of the rate together are at most 10,000 ppm");
        var stands = changes.Where(change => change.IsStand).OrderBy(change => change.AfterNs).ToArray();
        if (stands.Zip(stands.Skip(1)).Any(pair => pair.Second.AfterNs <= pair.First.EndsAfterNs))
            throw new FormatException("suspend, freeze: one must be over before the next one begins");
    }

    private void Read(string part, string key, string value)
    {
        switch (key)
        {
            case "offset":
                OffsetNs = ReadTime(part, value);
                break;
            case "skew":
                SkewPpm = ReadRate(part, value);
                break;
            case "walk":
                WalkPpm = ReadRate(part, value);
                if (WalkPpm < 0)
                    throw new FormatException($"{part}: the bound of a walk is not negative");
                break;
            case "seed":
                Seed = ulong.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var seed)
                    ? seed
                    : throw new FormatException($"{part}: want a whole number");
                break;
            case "anchor":
                AnchorNs = ReadAnchor(part, value);
                break;
            default:
                throw new FormatException(
                    $"{key}: want offset, skew, walk, seed, step, slew, suspend, freeze or anchor");
        }
    }

    private static SyntheticChange ReadChange(string part, SyntheticChangeKind kind, string value)
    {
        var isRate = kind is SyntheticChangeKind.Skew or SyntheticChangeKind.Slew;
        var at = value.IndexOf('@', StringComparison.Ordinal);
        if (at < 0)
            throw new FormatException($"{part}: want {(isRate ? "a rate" : "a time")} and when it happens, as "
                + (isRate ? "5ppm@20s" : "5ms@20s"));
        var after = ReadTime(part, value[(at + 1)..]);
        if (after < 0)
            throw new FormatException($"{part}: it cannot happen before the anchor");
        var change = new SyntheticChange(
            kind, isRate ? ReadRate(part, value[..at]) / 1e6 : ReadTime(part, value[..at]), after);
        return change.IsStand && change.Amount <= 0
            ? throw new FormatException($"{part}: a clock stands for a time above zero")
            : change;
    }

    private static long ReadAnchor(string part, string value) =>
        long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var anchor)
        && Math.Abs((double)anchor) <= MostNs
            ? anchor
            : throw new FormatException($"{part}: want nanoseconds of the host's monotonic clock");

    private static long ReadTime(string part, string value)
    {
        var ns = ReadQuantity(value, Times)
            ?? throw new FormatException($"{part}: want a time with its unit, as 12.3ms (ns, us, ms or s)");
        return Math.Abs(ns) <= MostNs
            ? (long)Math.Round(ns)
            : throw new FormatException($"{part}: at most 100,000,000 s");
    }

    private static double ReadRate(string part, string value)
    {
        var ppm = ReadQuantity(value, Rates)
            ?? throw new FormatException($"{part}: want a rate with its unit, as 12ppm (ppm or ppb)");
        return Math.Abs(ppm) <= MostPpm
            ? ppm
            : throw new FormatException($"{part}: at most 10,000 ppm");
    }

    private static double? ReadQuantity(string value, (string Suffix, double Factor)[] units)
    {
        foreach (var (suffix, factor) in units)
        {
            if (value.EndsWith(suffix, StringComparison.Ordinal) && double.TryParse(
                value[..^suffix.Length],
                NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint,
                CultureInfo.InvariantCulture,
                out var number))
            {
                return number * factor;
            }
        }

        return null;
    }
}

/// <summary>A change of a clock by nanoseconds, or of its rate by a share; so many ns after the anchor.</summary>
internal readonly record struct SyntheticChange(SyntheticChangeKind Kind, double Amount, long AfterNs)
{
    public bool IsStand => Kind is SyntheticChangeKind.Suspension or SyntheticChangeKind.Freeze;

    public long EndsAfterNs => IsStand ? AfterNs + (long)Amount : AfterNs;
}

internal enum SyntheticChangeKind
{
    Step,

    /// <summary>Its crystal runs at another rate from here on, which nothing on the host shows.</summary>
    Skew,

    /// <summary>It is slewed from here on, which the watch over the host's clock sees.</summary>
    Slew,

    /// <summary>The host sleeps: the clock stands, then goes on from there. The watch sees it.</summary>
    Suspension,

    /// <summary>The clock stands, then is where it would have been. Nothing on the host shows it.</summary>
    Freeze,
}
