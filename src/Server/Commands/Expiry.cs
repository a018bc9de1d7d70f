using System.Text;

namespace RedisLatency.Server.Commands;

/// <summary>Reads times to live, with the bounds and errors of Redis 7.0.</summary>
internal static class Expiry
{
    public static bool TryReadUnit(ReadOnlySpan<byte> word, out ExpiryUnit unit)
    {
        unit = ExpiryUnit.Seconds;
        if (Ascii.EqualsIgnoreCase(word, "EX"u8))
            return true;
        unit = ExpiryUnit.Milliseconds;
        if (Ascii.EqualsIgnoreCase(word, "PX"u8))
            return true;
        unit = ExpiryUnit.AtSeconds;
        if (Ascii.EqualsIgnoreCase(word, "EXAT"u8))
            return true;
        unit = ExpiryUnit.AtMilliseconds;
        return Ascii.EqualsIgnoreCase(word, "PXAT"u8);
    }

    /// <summary>Milliseconds since the Unix epoch, never zero; where there are none, the error is written.</summary>
    public static bool TryRead(CommandCall call, int index, ExpiryUnit unit, bool mustBePositive, out long milliseconds)
    {
        if (!call.TryGetInteger(index, out milliseconds))
            return false;
        var isInvalid = mustBePositive && milliseconds <= 0;
        if (unit is ExpiryUnit.Seconds or ExpiryUnit.AtSeconds)
        {
            isInvalid |= milliseconds is > long.MaxValue / 1000 or < long.MinValue / 1000;
            milliseconds = unchecked(milliseconds * 1000);
        }

        if (unit is ExpiryUnit.Seconds or ExpiryUnit.Milliseconds)
        {
            var now = call.Server.Clock.Milliseconds;
            isInvalid |= milliseconds > long.MaxValue - now;
            milliseconds = unchecked(milliseconds + now);
        }

        if (isInvalid)
            return call.Error($"ERR invalid expire time in '{call.Command.Name}' command");

        // Zero stands for never; a moment before the epoch's first millisecond is as much in the past.
        if (milliseconds == 0)
            milliseconds = -1;
        return true;
    }
}
