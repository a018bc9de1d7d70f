namespace RedisLatency.Server.Commands;

/// <summary>Reads times to live, with the bounds and errors of Redis 7.0.</summary>
internal static class Expiry
{
    /// <summary>Reads EX, PX or PXAT and its value, if there are words from an index on.</summary>
    /// <inheritdoc cref="TryRead(CommandCall, int, ExpiryUnit, out long)"/>
    public static bool TryRead(CommandCall call, int index, out long milliseconds)
    {
        milliseconds = StoredString.Never;
        if (call.Count == index)
            return true;
        ExpiryUnit? unit = call.Is(index, "EX"u8) ? ExpiryUnit.Seconds
            : call.Is(index, "PX"u8) ? ExpiryUnit.Milliseconds
            : call.Is(index, "PXAT"u8) ? ExpiryUnit.AtMilliseconds
            : null;
        return unit is { } known && call.Count == index + 2
            ? TryRead(call, index + 1, known, out milliseconds)
            : call.SyntaxError();
    }

    /// <summary>Milliseconds since the Unix epoch, never zero; where there are none, the error is written.</summary>
    public static bool TryRead(CommandCall call, int index, ExpiryUnit unit, out long milliseconds)
    {
        if (!call.TryGetInteger(index, out milliseconds))
            return false;
        var isInvalid = milliseconds <= 0;
        if (unit == ExpiryUnit.Seconds)
        {
            isInvalid |= milliseconds > long.MaxValue / 1000;
            milliseconds = unchecked(milliseconds * 1000);
        }

        if (unit != ExpiryUnit.AtMilliseconds)
        {
            var now = call.Server.Clock.Milliseconds;
            isInvalid |= milliseconds > long.MaxValue - now;
            milliseconds = unchecked(milliseconds + now);
        }

        return !isInvalid || call.Error($"ERR invalid expire time in '{call.Command.Name}' command");
    }
}
