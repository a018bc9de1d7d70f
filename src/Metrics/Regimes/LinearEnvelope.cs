namespace RedisLatency.Metrics.Regimes;

/// <summary>
/// All lines that pass below every upper point and above every lower one, up to a wander: the linear programme of
/// Moon, Skelly and Towsley (INFOCOM 1999) and Zhang, Liu and Xia (INFOCOM 2002), solved on the two hulls.
/// </summary>
/// <remarks>
/// <para>
/// Let the offset have a rate that leaves its mean over a window of length W by at most d. It then leaves the chord
/// between its own ends by at most w = d W / 2, so that the chord a + b x satisfies a + b x &lt;= U_i + w and
/// a + b x &gt;= L_j - w for all points: it is among the feasible lines, and the offset is within w of it.
/// </para>
/// <para>
/// For a slope b there is a feasible line when gap(b) = min(U_i - b x_i) - max(L_j - b x_j) + 2 w is not negative.
/// That is concave and piecewise linear in b, so Newton's method from outside reaches each end of the feasible slopes
/// in finitely many steps and never passes it.
/// </para>
/// </remarks>
internal sealed class LinearEnvelope
{
    private const int MostSteps = 100;
    private const double NegligibleNs = 1e-3;

    private readonly LowerHull _upper = new();

    // The lower points mirrored, so that both are lower hulls.
    private readonly LowerHull _mirrored = new();
    private double _wanderNs;

    /// <summary>The least feasible slope, in nanoseconds per second.</summary>
    public double SlopeLow { get; private set; }

    public double SlopeHigh { get; private set; }
    public double WidestSlope { get; private set; }

    /// <summary>The feasible slope that is farthest from none, without its sign.</summary>
    public double SteepestSlope => Math.Max(Math.Abs(SlopeLow), Math.Abs(SlopeHigh));

    /// <summary>How far the two kinds of points are apart along that slope, without any wander.</summary>
    public double RoomNs { get; private set; }

    public void Clear()
    {
        _upper.Clear();
        _mirrored.Clear();
    }

    /// <summary>The offset is at most <paramref name="ns"/> at <paramref name="seconds"/>.</summary>
    public void AddUpper(double seconds, double ns) => _upper.Add(seconds, ns);

    /// <summary>The offset is at least <paramref name="ns"/> at <paramref name="seconds"/>.</summary>
    public void AddLower(double seconds, double ns) => _mirrored.Add(seconds, -ns);

    public bool IsOneSided => _upper.Count == 0 || _mirrored.Count == 0;

    /// <summary>Finds the feasible slopes.</summary>
    /// <param name="wanderNs">How far the offset may be from a line.</param>
    /// <param name="slopeLow">The least slope that is possible anyway.</param>
    /// <param name="slopeHigh">The greatest.</param>
    /// <returns>Whether there is a feasible line.</returns>
    public bool TrySolve(double wanderNs, double slopeLow, double slopeHigh)
    {
        _wanderNs = wanderNs;
        if (_upper.Count == 0 || _mirrored.Count == 0 || slopeLow > slopeHigh)
            return false;
        if (!TryEnd(slopeLow, 1, slopeHigh, out var low) || !TryEnd(slopeHigh, -1, slopeLow, out var high))
            return false;
        SlopeLow = low;
        SlopeHigh = Math.Max(low, high);
        WidestSlope = FindWidest();
        RoomNs = Gap(WidestSlope, out _) - (2 * wanderNs);
        return true;
    }

    public OffsetInterval At(double seconds) =>
        new OffsetInterval(-Extreme(_mirrored, seconds, -SlopeHigh, -SlopeLow),
            Extreme(_upper, seconds, SlopeLow, SlopeHigh)).Grow(2 * _wanderNs);

    /// <summary>The highest point at an x that lines below the hull, of slopes in a range, reach.</summary>
    private static double Extreme(LowerHull hull, double x, double slopeLow, double slopeHigh)
    {
        var height = hull.Support(slopeLow, out var touchedX);
        if (touchedX >= x)
            return height + (slopeLow * x);
        height = hull.Support(slopeHigh, out touchedX);
        return touchedX <= x ? height + (slopeHigh * x) : hull.HeightAt(x);
    }

    private double Gap(double slope, out double rise)
    {
        var gap = _upper.Support(slope, out var upperX) + _mirrored.Support(-slope, out var lowerX) + (2 * _wanderNs);
        rise = lowerX - upperX;
        return gap;
    }

    private bool TryEnd(double from, int direction, double limit, out double end)
    {
        end = from;
        for (var step = 0; step < MostSteps; step++)
        {
            var gap = Gap(end, out var rise);
            if (gap >= -NegligibleNs)
                return true;
            if (rise * direction <= 0)
                return false;
            end -= gap / rise;
            if ((end - limit) * direction > 0)
                return false;
        }

        return true;
    }

    private double FindWidest()
    {
        double left = SlopeLow, right = SlopeHigh;
        var leftGap = Gap(left, out var leftRise);
        var rightGap = Gap(right, out var rightRise);
        if (leftRise <= 0 || rightRise >= 0)
            return leftRise <= 0 && rightRise >= 0 ? (left + right) / 2 : leftRise <= 0 ? left : right;
        for (var step = 0; step < MostSteps; step++)
        {
            var slope = (rightGap - leftGap + (leftRise * left) - (rightRise * right)) / (leftRise - rightRise);
            if (!(slope > left && slope < right))
                break;
            var gap = Gap(slope, out var rise);
            if (gap >= leftGap + (leftRise * (slope - left)) - NegligibleNs)
                return slope;
            (left, leftGap, leftRise) = rise > 0 ? (slope, gap, rise) : (left, leftGap, leftRise);
            (right, rightGap, rightRise) = rise > 0 ? (right, rightGap, rightRise) : (slope, gap, rise);
            if (rise == 0)
                return slope;
        }

        return (left + right) / 2;
    }
}
