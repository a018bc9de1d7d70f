namespace RedisLatency.Reports.Figures;

/// <summary>How differently the two ways took, beside what assumes that they did not; in nanoseconds.</summary>
/// <param name="ForwardMinusBackNs">The mean of forward less the mean of back.</param>
/// <param name="ErrorNs">How far that may be wrong: 2 E, since an error of θ lengthens one way by what it shortens
/// the other.</param>
/// <param name="HalfRoundTripNs">
/// RTT/2: half of the mean round trip less the residence. It is one way only if both ways take equally long.
/// </param>
public sealed record PathAsymmetry(double ForwardMinusBackNs, long ErrorNs, double HalfRoundTripNs);
