namespace RedisLatency.Reports.Figures;

/// <summary>Something that the bound E takes for granted.</summary>
/// <param name="Name">Which: oscillator, wander, unsampled-slew, stamp-error, forward-floor, back-floor, …</param>
/// <param name="Value">How much.</param>
/// <param name="Unit">Of what: ppm or ns.</param>
/// <param name="Meaning">What it means, in a sentence.</param>
public sealed record ClockAssumption(string Name, double Value, string Unit, string Meaning);
