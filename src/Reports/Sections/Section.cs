namespace RedisLatency.Reports.Sections;

/// <summary>
/// A heading with tables and notes below it, in their order. It is made once; text, Markdown, HTML and CSV are written
/// of it, and the answer on one screen is what <see cref="In"/> leaves of it.
/// </summary>
public sealed class Section(string? heading = null, Extent extent = Extent.Both)
{
    private readonly List<(SectionPart Part, Extent Extent)> _parts = [];

    /// <summary>Null where it goes on with what is above.</summary>
    public string? Heading => heading;

    public IEnumerable<SectionPart> Parts => _parts.Select(part => part.Part);

    public IEnumerable<Table> Tables => Parts.OfType<Table>();

    public Section Add(SectionPart? part, Extent where = Extent.Both)
    {
        if (part is not null)
            _parts.Add((part, where));
        return this;
    }

    /// <summary>Adds a paragraph, where there is one.</summary>
    public Section Add(string? note, Extent where = Extent.Both) => note is null ? this : Add(new Note(note), where);

    /// <summary>Adds a paragraph for each text.</summary>
    public Section Add(IEnumerable<string?> notes, Extent where = Extent.Both)
    {
        foreach (var note in notes)
            Add(note, where);
        return this;
    }

    /// <summary>The same, standing in nothing else than before and in no more than this.</summary>
    public Section Within(Extent most)
    {
        var section = new Section(heading, extent & most);
        section._parts.AddRange(_parts);
        return section;
    }

    /// <summary>What of it stands there; null where nothing does.</summary>
    public Section? In(Extent where)
    {
        if (!extent.HasFlag(where))
            return null;
        var section = new Section(heading, where);
        foreach (var (part, place) in _parts)
            section.Add(place.HasFlag(where) ? part.In(where) : null, where);
        return section._parts.Count > 0 || heading is not null ? section : null;
    }
}

public static class SectionFilter
{
    /// <summary>What of sections stands there.</summary>
    public static IReadOnlyList<Section> In(this IEnumerable<Section> sections, Extent where) =>
        [.. sections.Select(section => section.In(where)).OfType<Section>()];
}
