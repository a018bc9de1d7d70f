using System.Globalization;

namespace RedisLatency.Fleet.Meeting;

/// <summary>
/// How many members of each role a run has, or in which regions one member each is, whose role is to be there. A
/// member's place is its number among all, role by role.
/// </summary>
public sealed class FleetRoster
{
    private const string RegionWord = "regions ";

    private readonly IReadOnlyList<(string Role, int Count)> _roles;

    /// <summary>Makes it of roles in the order that all members of a run have.</summary>
    public FleetRoster(params IReadOnlyList<(string Role, int Count)> roles) => _roles = roles;

    /// <summary>Whether it has a member in each of some regions, and no roles.</summary>
    public bool IsOfRegions { get; private init; }

    /// <summary>The option that says who the members are.</summary>
    public string Option => IsOfRegions ? "--regions" : "--expect";

    /// <summary>The roles, or the regions, in the order of their members.</summary>
    public IEnumerable<string> Roles => _roles.Select(one => one.Role);

    /// <summary>How many there are.</summary>
    public int Count => _roles.Sum(one => one.Count);

    /// <summary>A member in each region; the order is the same in all members, however it is typed.</summary>
    public static FleetRoster OfRegions(IEnumerable<string> regions) =>
        new([.. regions.Order(StringComparer.Ordinal).Select(region => (region, 1))]) { IsOfRegions = true };

    /// <summary>Reads what <see cref="ToString"/> writes; null where it is something else.</summary>
    public static FleetRoster? Read(string? text)
    {
        if (text?.StartsWith(RegionWord, StringComparison.Ordinal) == true)
        {
            var regions = text[RegionWord.Length..].Split(',');
            return regions.All(IsName) ? OfRegions(regions.Distinct()) : null;
        }

        List<(string Role, int Count)> roles = [];
        foreach (var part in text?.Split(',') ?? [])
        {
            if (part.Split('=') is not [var role, var number] || !IsName(role)
                || !int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var count)
                || count == 0 || roles.Exists(known => known.Role == role))
                return null;
            roles.Add((role, count));
        }

        return roles.Count == 0 ? null : new FleetRoster(roles);
    }

    /// <summary>The same roles in another order; null where there is one that is not among these.</summary>
    public FleetRoster? InOrder(IReadOnlyList<string> roles) =>
        !IsOfRegions && _roles.All(one => roles.Contains(one.Role))
        ? new FleetRoster([.. _roles.OrderBy(one => roles.TakeWhile(role => role != one.Role).Count())])
        : null;

    /// <summary>How many there are of a role.</summary>
    public int CountOf(string role) => _roles.FirstOrDefault(one => one.Role == role).Count;

    /// <summary>The place of a role's first member.</summary>
    public int FirstOf(string role) => _roles.TakeWhile(one => one.Role != role).Sum(one => one.Count);

    /// <summary>Which member has a place: its role, and its index in that, from 0.</summary>
    public (string Role, int Index) At(int place)
    {
        foreach (var (role, count) in _roles)
        {
            if (place < count)
                return (role, place);
            place -= count;
        }

        throw new ArgumentOutOfRangeException(nameof(place));
    }

    /// <summary>
    /// The member that has a place, in words: <c>producer 1</c>, <c>region eu-west</c>; below 0 nobody's.
    /// </summary>
    public string NameOf(int place)
    {
        if (place < 0 || place >= Count)
            return "a process";
        var (role, index) = At(place);
        return IsOfRegions ? $"region {role}" : $"{role} {index.ToString(CultureInfo.InvariantCulture)}";
    }

    /// <summary>Several members, role by role: <c>producer 0, 1 of 3</c>, or each region.</summary>
    /// <param name="places">Their places.</param>
    public IEnumerable<string> NamesOf(IEnumerable<int> places) => IsOfRegions
        ? places.Select(NameOf)
        : places.Select(At).GroupBy(one => one.Role, one => one.Index.ToString(CultureInfo.InvariantCulture))
            .Select(of => $"{of.Key} {string.Join(", ", of)} of "
                + CountOf(of.Key).ToString(CultureInfo.InvariantCulture));

    /// <summary>All roles: <c>producer=3,consumer=3</c>; or all regions: <c>regions eu-west,us-east</c>.</summary>
    public override string ToString() => IsOfRegions
        ? RegionWord + string.Join(",", Roles)
        : string.Join(",", _roles.Select(one => $"{one.Role}={one.Count.ToString(CultureInfo.InvariantCulture)}"));

    // It becomes a part of keys, and a folder of that name is made of what others sent.
    private static bool IsName(string text) => text.Length > 0 && char.IsAsciiLetterOrDigit(text[0])
        && text.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.');
}
