export function UnassignButton() {
  return (
    <div className="menu-list menu-foot">
      <button type="submit" name="assignee" value="none" data-closes>
        Unassign
      </button>
    </div>
  )
}
