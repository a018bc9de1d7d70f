using System.Globalization;

namespace RedisLatency.Reports.Output;

/// <summary>Numbers as people read them, in the invariant culture.</summary>
public static class Quantity
{
    /// <summary>Stands where there is no number: nothing was counted, or zero divided by zero.</summary>
    public const string None = "-";

    /// <summary>The unit in which the smallest positive duration of a table still reads well.</summary>
    public static DurationUnit UnitFor(params ReadOnlySpan<long> nanoseconds)
    {
        var smallest = long.MaxValue;
        foreach (var value in nanoseconds)
        {
            if (value > 0)
                smallest = Math.Min(smallest, value);
        }

        return smallest switch
        {
            < 1_000_000 or long.MaxValue => DurationUnit.Microseconds,
            < 1_000_000_000 => DurationUnit.Milliseconds,
            _ => DurationUnit.Seconds,
        };
    }

    /// <summary><c>µs</c>, <c>ms</c> or <c>s</c>.</summary>
    public static string Symbol(DurationUnit unit) => unit switch
    {
        DurationUnit.Microseconds => "µs",
        DurationUnit.Milliseconds => "ms",
        _ => "s",
    };

    /// <summary>How many nanoseconds the unit has.</summary>
    public static double Nanoseconds(DurationUnit unit) => unit switch
    {
        DurationUnit.Microseconds => 1e3,
        DurationUnit.Milliseconds => 1e6,
        _ => 1e9,
    };

    /// <summary>A duration without its unit, to four significant digits: <c>45.31</c>, <c>1,000,123</c>.</summary>
    public static string Duration(double? nanoseconds, DurationUnit unit) =>
        FourDigits(nanoseconds / Nanoseconds(unit));

    /// <summary>A duration with the unit that suits it: <c>45.31 µs</c>.</summary>
    public static string Duration(double? nanoseconds)
    {
        if (nanoseconds is not { } known || !double.IsFinite(known))
            return None;
        var unit = UnitFor((long)Math.Abs(Math.Clamp(known, -1e18, 1e18)));
        return $"{Duration(known, unit)} {Symbol(unit)}";
    }

    /// <summary>A count with thousands separators: <c>1,234,567</c>.</summary>
    public static string Count(long? count) => count?.ToString("N0", CultureInfo.InvariantCulture) ?? None;

    /// <summary>So many per second, to four significant digits: <c>9,998/s</c>, <c>0.5/s</c>.</summary>
    public static string Rate(double perSecond) =>
        double.IsFinite(perSecond) ? $"{Trim(FourDigits(perSecond))}/s" : None;

    /// <summary>So many bytes per second, to four significant digits, by thousands: <c>12.3 MB/s</c>.</summary>
    public static string ByteRate(double perSecond)
    {
        var (scale, unit) = perSecond switch
        {
            >= 1e9 => (1e9, "GB"),
            >= 1e6 => (1e6, "MB"),
            >= 1e3 => (1e3, "kB"),
            _ => (1, "B"),
        };
        return double.IsFinite(perSecond) ? $"{Trim(FourDigits(perSecond / scale))} {unit}/s" : None;
    }

    /// <summary>A share of one as a percentage: 0.3712 is <c>37.12 %</c>, 0.0000012 is <c>0.00012 %</c>.</summary>
    public static string Percent(double share)
    {
        if (!double.IsFinite(share))
            return None;
        var percent = share * 100;
        return Math.Abs(percent) is > 0 and < 0.01
            ? percent.ToString("0.##########", CultureInfo.InvariantCulture) + " %"
            : percent.ToString("#,0.##", CultureInfo.InvariantCulture) + " %";
    }

    /// <summary>Elapsed time as a clock shows it: <c>0:41</c>, <c>1:02:03</c>.</summary>
    public static string Elapsed(TimeSpan time) => time.TotalHours >= 1
        ? string.Create(CultureInfo.InvariantCulture, $"{(long)time.TotalHours}:{time:mm\\:ss}")
        : time.ToString("m\\:ss", CultureInfo.InvariantCulture);

    /// <summary>A number that has no unit, to four significant digits: <c>1,234</c>, <c>0.5</c>.</summary>
    public static string Number(double value) => Trim(FourDigits(value));

    /// <summary>The format that gives four significant digits, without thousands separators.</summary>
    public static string FourDigitsPlain(double value) => Math.Abs(value) switch
    {
        >= 999.95 => "F0",
        >= 99.995 => "F1",
        >= 9.9995 => "F2",
        _ => "F3",
    };

    private static string FourDigits(double? value)
    {
        if (value is not { } known || !double.IsFinite(known))
            return None;
        var format = FourDigitsPlain(known);
        return known.ToString(format == "F0" ? "N0" : format, CultureInfo.InvariantCulture);
    }

    private static string Trim(string number) => number.Contains('.') ? number.TrimEnd('0').TrimEnd('.') : number;
}
